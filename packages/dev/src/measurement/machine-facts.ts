/** Facts about the machine and its load that belong to every measured figure. */
import { cpus, loadavg, release, totalmem } from 'node:os'

export interface MachineFacts {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  /** Operating system and architecture, such as `linux x64`. */
  readonly platform: string
  /** Runnable processes at the start of the measurement, averaged over one minute; 0 on Windows. */
  readonly load: number
}

export function machineFacts(): MachineFacts {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}

/** One line, such as `AMD EPYC, 2 cores, 24 GiB, Linux 6.1.0, Node v20.20.2, load 0.1 at the start`. */
export function machineLine({ cpu, cores, memoryGiB, kernel, node, platform, load }: MachineFacts): string {
  const system = platform.startsWith('linux') ? 'Linux' : (platform.split(' ')[0] ?? platform)
  const count = `${cores} ${cores === 1 ? 'core' : 'cores'}`
  return `${cpu}, ${count}, ${memoryGiB} GiB, ${system} ${kernel}, Node ${node}, load ${load.toFixed(1)} at the start`
}

/** What differs between the machines of two results and can change figures beyond the speed of the machine. */
export function machineDifferences(before: MachineFacts, now: MachineFacts): string[] {
  const compared = { cpu: 'CPU', cores: 'cores', kernel: 'kernel', node: 'Node', platform: 'platform' } as const
  const names = Object.keys(compared) as (keyof typeof compared)[]
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => `${compared[name]}: ${before[name]} before, ${now[name]} now`)
}

/** A warning if other programs kept half of the cores busy when the measurement started. */
export function loadWarning({ load, cores }: MachineFacts): string | undefined {
  if (load <= cores / 2) return undefined
  return `the machine was busy at the start (load ${load.toFixed(1)} on ${cores} ${cores === 1 ? 'core' : 'cores'}): figures are higher and less steady than on an idle machine`
}
