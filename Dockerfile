# The image of API and workers. Debian, not Alpine: the pinned wheels are for glibc.
# Never built so far: only its syntax was looked over. The tests cover everything inside it, on the same Python.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/referee
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
USER referee
VOLUME /var/lib/referee
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["referee"]
CMD ["serve"]
