# The image of API and workers. Debian, not Alpine: the pinned wheels are for glibc.
# Never built so far: it was linted, and its steps were run in a plain folder. The tests cover everything inside it, on the
# same Python.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# The official Python is optimized by profile (PGO) and at link time.
RUN python -c "import sysconfig; assert '--enable-optimizations' in sysconfig.get_config_var('CONFIG_ARGS')" \
    && python -m venv /opt/referee
COPY requirements.lock /src/
RUN /opt/referee/bin/pip install --require-hashes -r /src/requirements.lock
COPY pyproject.toml README.md LICENSE /src/
COPY referee /src/referee
COPY api /src/api
COPY workers /src/workers
RUN /opt/referee/bin/pip install --no-deps /src && /opt/referee/bin/pip check

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /var/lib/referee referee \
    && install --directory --owner=referee --group=referee --mode=700 /var/lib/referee
COPY --from=build /opt/referee /opt/referee
ENV PATH=/opt/referee/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    REFEREE_DATA_DIR=/var/lib/referee \
    REFEREE_HOST=0.0.0.0 \
    REFEREE_PORT=8080
USER 10001
VOLUME /var/lib/referee
EXPOSE 8080
# Of `serve` and `api`; docker-compose.yml has others for the workers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"REFEREE_PORT\"]}/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["referee"]
CMD ["serve"]
