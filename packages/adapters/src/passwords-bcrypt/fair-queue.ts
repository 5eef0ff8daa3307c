/**
 * A queue that serves networks in turn, so that one network with many jobs does not delay the others. Jobs of those who
 * signed in before go first. If the queue is full, the network with the most jobs loses its newest one.
 */
import type { PasswordQueue } from '@turnpike/core/ports'

interface Lane<Job> {
  /** By network, the next one to serve first. A network without jobs is not in the map. */
  readonly networks: Map<string, Job[]>
}

export class FairQueue<Job> {
  private readonly trusted: Lane<Job> = { networks: new Map() }
  private readonly others: Lane<Job> = { networks: new Map() }
  private readonly capacity: number
  private size = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Adds a job. Returns the job that has to leave the full queue, which can be this one. */
  add(job: Job, { network, isTrusted }: PasswordQueue): Job | undefined {
    const { networks } = isTrusted ? this.trusted : this.others
    const jobs = networks.get(network) ?? []
    if (jobs.length === 0) networks.set(network, jobs)
    jobs.push(job)
    this.size += 1
    return this.size > this.capacity ? this.dropNewest() : undefined
  }

  next(): Job | undefined {
    return this.nextOf(this.trusted) ?? this.nextOf(this.others)
  }

  private nextOf({ networks }: Lane<Job>): Job | undefined {
    const [first] = networks
    if (first === undefined) return undefined
    const [network, jobs] = first
    const job = jobs.shift()
    networks.delete(network)
    // The network goes to the end of the line.
    if (jobs.length > 0) networks.set(network, jobs)
    this.size -= 1
    return job
  }

  private dropNewest(): Job | undefined {
    const { networks } = this.others.networks.size > 0 ? this.others : this.trusted
    let longest: [string, Job[]] | undefined
    for (const entry of networks) if (longest === undefined || entry[1].length >= longest[1].length) longest = entry
    if (longest === undefined) return undefined
    const [network, jobs] = longest
    const job = jobs.pop()
    if (jobs.length === 0) networks.delete(network)
    this.size -= 1
    return job
  }
}
