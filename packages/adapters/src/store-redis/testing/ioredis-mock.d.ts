/** The mock brings no types; it stands in for the client, and the suite shows how far. */
declare module 'ioredis-mock' {
  import { Redis } from 'ioredis'
  export default Redis
}
