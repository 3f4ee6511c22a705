# The app for one machine; compose.yaml runs it with its database and its job engine.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build -- --standalone

FROM ${NODE_IMAGE}
# HOST is ours, HOSTNAME that of Next.js: other containers reach the app.
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 HOSTNAME=0.0.0.0 PORT=3000 KEEP_ALIVE_TIMEOUT=130000
WORKDIR /app
COPY --from=build /app/.next/standalone ./
# The only place it writes to, and only mails that no mail server takes; see compose.yaml.
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]
