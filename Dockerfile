# The image of API and workers. Debian, not Alpine: the pinned wheels are for glibc.
# Never built so far: it was linted, and its steps were run in a plain folder. The tests cover everything inside it, on the
# same Python.
#
#   docker build --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(date -u +%FT%TZ)" --tag referee .
#
# A tag can be moved, a digest cannot. Where builds have to be repeatable, pin the base:
#   docker buildx imagetools inspect python:3.11-slim-bookworm     prints its digest; then
#   docker build --build-arg BASE=python:3.11-slim-bookworm@sha256:... .
# No digest stands here, because none could be looked up where this was written.
ARG BASE=python:3.11-slim-bookworm

# --- the wheel, by a build backend that is pinned as well -----------------------------------------------------------------
FROM ${BASE} AS wheel
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements-build.lock ./
RUN python -m venv /opt/build && /opt/build/bin/pip install --require-hashes --only-binary :all: -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY referee ./referee
COPY api ./api
COPY workers ./workers
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && python -c "import hashlib, pathlib; (one,) = pathlib.Path('/wheels').glob('referee-*.whl'); pathlib.Path('/wheels/referee.lock').write_text(f'{one} --hash=sha256:{hashlib.sha256(one.read_bytes()).hexdigest()}\n')"

# --- what is installed: each file by its hash --------------------------------------------------------------------------
FROM ${BASE} AS install
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# The official Python is optimized by profile (PGO) and at link time.
RUN python -c "import sysconfig; assert '--enable-optimizations' in sysconfig.get_config_var('CONFIG_ARGS')" \
    && python -m venv /opt/referee
COPY requirements.lock /src/
RUN /opt/referee/bin/pip install --require-hashes --only-binary :all: -r /src/requirements.lock
COPY --from=wheel /wheels /wheels
RUN /opt/referee/bin/pip install --no-deps --require-hashes -r /wheels/referee.lock \
    && /opt/referee/bin/pip check \
    && /opt/referee/bin/referee --version

# --- what runs -----------------------------------------------------------------------------------------------------------
FROM ${BASE}
ARG VERSION=1.0.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Referee" \
      org.opencontainers.image.description="A rules referee for tabletop games: an event-sourced REST API that judges moves and cites the clause" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
RUN groupadd --gid 10001 referee \
    && useradd --uid 10001 --gid 10001 --no-log-init --no-create-home --home-dir /var/lib/referee --shell /usr/sbin/nologin referee \
    && install --directory --owner=10001 --group=10001 --mode=700 /var/lib/referee /var/backups/referee
COPY --from=install /opt/referee /opt/referee
ENV PATH=/opt/referee/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    REFEREE_DATA_DIR=/var/lib/referee \
    REFEREE_HOST=0.0.0.0 \
    REFEREE_PORT=8080
# By number, so that a host can see that it is not root.
USER 10001:10001
WORKDIR /var/lib/referee
VOLUME /var/lib/referee
EXPOSE 8080
# Of `serve` and `api`; docker-compose.yml has others for the workers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"REFEREE_PORT\"]}/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["referee"]
CMD ["serve"]
