/**
 * Keys of original gateways for features that Turnpike does not have. They are listed so that they are not reported as
 * misspelt; `turnpike check` notes that they have no effect.
 */
import { anything } from '@turnpike/core/lib'

export const ignoredKeys = {
  allowRemoteConfig: anything,
  coprocessOptions: anything,
  dbAppConfOptions: anything,
  disableDashboardZeroconf: anything,
  enableUptimeAnalytics: anything,
  jaeger: anything,
  kv: anything,
  labs: anything,
  streaming: anything,
  logstashNetworkAddr: anything,
  logstashTransport: anything,
  newrelic: anything,
  sentryCode: anything,
  sentryLogLevel: anything,
  slaveOptions: anything,
  statsdConnectionString: anything,
  statsdPrefix: anything,
  syslogNetworkAddr: anything,
  syslogTransport: anything,
  tracing: anything,
  useGraylog: anything,
  useLogstash: anything,
  useRedisLog: anything,
  useSentry: anything,
  useSyslog: anything,
  graylogNetworkAddr: anything,
}
