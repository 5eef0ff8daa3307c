export { makeMockClient } from './mock-client.ts'
export { loadRedisMock, openRedisMock } from './redis-mock.ts'
export { redisMockServer } from './redis-mock-server.ts'
