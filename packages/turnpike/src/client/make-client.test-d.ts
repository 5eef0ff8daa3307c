import { expectTypeOf } from 'vitest'
import { type Client, type Done, makeClient, type Result, type Session } from './index.ts'

const client: Client = makeClient({ url: 'http://127.0.0.1:8080', secret: 's' })

expectTypeOf(client.keys.createKey).returns.resolves.toEqualTypeOf<Result<Done>>()
expectTypeOf(client.keys.getKey({ name: 'k' })).resolves.toEqualTypeOf<Result<Session>>()
expectTypeOf(client.keys.createKey).parameter(0).toEqualTypeOf<{ readonly body: Session }>()
expectTypeOf(client.reload.reload).toBeCallableWith()

// @ts-expect-error a path needs its segment
void client.keys.getKey({})
// @ts-expect-error rates are numbers
void client.keys.createKey({ body: { rate: '5' } })
// @ts-expect-error no such call
void client.keys.nothing
// @ts-expect-error no such parameter
void client.keys.listKeys({ page: '1' })
// @ts-expect-error the management key is needed
makeClient({ url: 'http://127.0.0.1:8080' })
