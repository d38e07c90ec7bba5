"""A collector of OpenTelemetry as far as a test needs one: it takes spans over HTTP and keeps them."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Collector:
    """Takes what exporters send. `spans` has every span with its process's attributes, `raw` every byte."""

    def __init__(self) -> None:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        self.spans: list[tuple[dict[str, Any], Any]] = []
        self.raw: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                request = ExportTraceServiceRequest.FromString(body)
                assert self.path == "/v1/traces"
                collector.raw.append(body)
                for part in request.resource_spans:
                    resource = read_attributes(part.resource.attributes)
                    collector.spans += [(resource, span) for scope in part.scope_spans for span in scope.spans]
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def names(self, part: str = "") -> set[str]:
        """The names of all spans, or of those of one part of the server."""
        return {span.name for resource, span in self.spans if part in ("", resource["referee.part"])}

    def find(self, name: str) -> list[Any]:
        return [span for _, span in self.spans if span.name == name]


def read_attributes(found: Any) -> dict[str, Any]:
    """Attributes as Python has them."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in found}
