"""The course of a match as a page to print: for the eyes that ask, in their language, whole in itself."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from api import protocol
from referee.desk.protocol import page
from tests.api import house
from tests.api.disputing import Table
from tests.api.house import problem

PAGE = {"Accept": "text/html"}
