/**
 * The thread that runs the scripts of one scope. It handles one call at a time: one message with the call, one with the
 * result. A helper that needs the gateway costs one message each way more, for which this thread blocks.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type AskGateway, openSandbox } from './sandbox.ts'
import type { CallMessage, HelperReply, WorkerMessage, WorkerStart } from './worker-messages.ts'

const start = workerData as WorkerStart
const gateway = parentPort as MessagePort
const send = (message: WorkerMessage) => gateway.postMessage(message)

const signal = new Int32Array(start.signal)
let lastId = 0

const ask: AskGateway = (helper, args, deadline) => {
  const id = ++lastId
  send({ type: 'helper', id, helper, args })
  for (;;) {
    const seen = Atomics.load(signal, 0)
    const reply = replyTo(id)
    if (reply !== undefined) return reply.value
    const restMs = deadline - Date.now()
    if (restMs <= 0) throw new Error(`${helper} did not finish within the time limit (jsvm_timeout)`)
    Atomics.wait(signal, 0, seen, Math.min(restMs, 2 ** 31 - 1))
  }
}

/** Replies to helpers that were given up are discarded. */
function replyTo(id: number): HelperReply | undefined {
  for (;;) {
    const received = receiveMessageOnPort(start.replies) as { readonly message: HelperReply } | undefined
    if (received === undefined || received.message.id === id) return received?.message
  }
}

const sandbox = await openSandbox(start, ask)
gateway.on('message', (call: CallMessage) => send(sandbox.run(call)))
send({ type: 'ready', problems: sandbox.problems, logs: sandbox.logs })
