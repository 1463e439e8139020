"""Where jobs run: processes of this machine, a Dask cluster, any executor; and the journals of long runs."""
