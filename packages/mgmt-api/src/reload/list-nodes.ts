/** GET /svc/nodes, specific to Turnpike: the nodes of the group and whether they serve the same definitions. */
import type { NodeState } from '@turnpike/core/engine'
import type { JsonSchema } from '@turnpike/core/lib'
import { failure, json } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }

const nodeSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { ...text, description: 'New at each start' },
    host: text,
    started_at: text,
    seen_at: { ...text, description: 'When it said this, by its own clock' },
    served_hash: { ...text, description: 'Of its definitions and policies: equal where the same is served' },
    apis: whole,
    last_reload: {
      type: 'object',
      properties: { at: text, duration_ms: { type: 'number' }, outcome: text, reason: text },
    },
  },
}

const nodesSchema: JsonSchema = {
  type: 'object',
  properties: {
    converged: { type: 'boolean', description: 'All of them serve the same' },
    nodes: { type: 'array', items: nodeSchema },
  },
}

export const listNodes: Operation = {
  id: 'listNodes',
  method: 'GET',
  path: '/svc/nodes',
  summary: 'Nodes of the group, what they serve and how their last reload went',
  responses: {
    200: { description: 'The nodes', schema: nodesSchema },
    503: 'The store is unavailable',
  },
  async handle({ management: { group, log } }) {
    try {
      const nodes = await group.nodes()
      const hashes = new Set(nodes.map(({ servedHash }) => servedHash))
      return json({ converged: hashes.size <= 1, nodes: nodes.map(toWire) })
    } catch (error) {
      log.error('the nodes cannot be listed', { reason: String(error) })
      return failure(503, 'The storage is not available: the nodes cannot be listed')
    }
  },
}

function toWire({ id, host, startedAt, seenAt, servedHash, apis, lastReload }: NodeState): object {
  return {
    id,
    host,
    started_at: new Date(startedAt).toISOString(),
    seen_at: new Date(seenAt).toISOString(),
    served_hash: servedHash,
    apis,
    last_reload: lastReload && {
      at: new Date(lastReload.at).toISOString(),
      duration_ms: lastReload.durationMs,
      outcome: lastReload.outcome,
      reason: lastReload.reason,
    },
  }
}
