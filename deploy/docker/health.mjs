// The health check of the image: exits with 0 if the gateway responds to its liveness probe, otherwise with 1. It does not
// use the readiness probe, because a restart does not repair an unavailable Redis.
const port = process.env.SVC_GW_CONTROLAPIPORT ?? process.env.SVC_GW_LISTENPORT
const url = process.env.HEALTH_URL ?? `http://127.0.0.1:${port}/hello`
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(2500) })
  if (status !== 200) throw new Error(`status ${status}`)
} catch (cause) {
  console.error(`${url}: ${cause.cause?.message ?? cause.message}`)
  process.exitCode = 1
}
