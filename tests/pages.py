"""What tests of HTML pages share."""

from html.parser import HTMLParser

VOID = ("br", "link", "meta")


class Tags(HTMLParser):
    """The elements of a page, with a check that every one of them is closed in its turn."""

    def __init__(self, page):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
