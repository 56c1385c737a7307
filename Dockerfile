# Builds with all dependencies and runs with the production ones. One image for api and worker: PARLEY_ROLES decides.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --include=dev
COPY . .
RUN node scripts/build.mjs --out /app/built && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/built ./dist
USER node
EXPOSE 3000
# Not through npm: signals must reach the service directly so that it drains. The heap limit makes V8 collect garbage
# earlier: a worker with a million queued deliveries stays under 250 MB instead of 375 MB.
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "--enable-source-maps", "dist/src/main.js"]
