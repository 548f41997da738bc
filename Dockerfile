# The compiler and its tests with all tools: `docker build -t sonc .`, then
# `docker run --rm sonc run chapters/04-argument/cases/polynomial.smp --arg 10`.
FROM rust:1-bookworm AS tools
RUN apt-get update \
    && apt-get install -y --no-install-recommends binutils chromium gcc gcc-multilib graphviz nodejs npm z3 \
    && rm -rf /var/lib/apt/lists/*
RUN rustup target add wasm32-unknown-unknown

FROM tools AS build
WORKDIR /sonc
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
WORKDIR /sonc
COPY --from=build /sonc/target/release/sonc /usr/local/bin/sonc
COPY chapters chapters
ENTRYPOINT ["sonc"]
