import { expect, it } from 'vitest'
import { requestOf } from '../../../test/support/test-engine.ts'
import { Outgoing } from './request-context.ts'

it('a checkpoint undoes changes of the request to the upstream', () => {
  const request = requestOf('GET', '/a?q=1', { 'x-user': 'none' })
  const outgoing = new Outgoing(request, '/a')
  const undo = outgoing.checkpoint()
  outgoing.ownHeaders().push('x-user', 'admin')
  outgoing.method = 'POST'
  outgoing.path = '/b'
  outgoing.query = ''
  outgoing.target = 'http://other.test'
  undo()
  const { method, path, query, target, headers } = outgoing
  expect({ method, path, query, target, headers }).toEqual({
    method: 'GET',
    path: '/a',
    query: 'q=1',
    target: undefined,
    headers: ['x-user', 'none'],
  })
  outgoing.ownHeaders().push('x-more', '1')
  expect(request.headers).toEqual(['x-user', 'none'])
})
