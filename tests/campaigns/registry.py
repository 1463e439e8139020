"""The campaigns by name."""

from campaigns.campaign import Campaign
from campaigns.faults import Faults
from campaigns.files import Files
from campaigns.kills import Kills
from campaigns.models import Models
from campaigns.settings import Settings
from campaigns.texts import Texts

CAMPAIGNS: dict[str, Campaign] = {
    "files": Files(),
    "models": Models(),
    "texts": Texts(),
    "settings": Settings(),
    "kills": Kills(),
    "faults": Faults(),
}
