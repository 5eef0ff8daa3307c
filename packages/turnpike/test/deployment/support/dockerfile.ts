/**
 * Executes a Dockerfile without containers: each stage has a folder that represents its root, and absolute paths in
 * commands are paths in that folder. Covers the instructions and forms that deploy/docker/Dockerfile uses.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The last stage of an executed Dockerfile: what a container would start from. */
export interface Image {
  /** The folder that represents `/`. */
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly workingDirectory: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  /** A path or command of the image as one of this machine. */
  onHost(text: string): string
}

export function readDockerfile(file: string): Instruction[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const match = /^([A-Z]+)\s+(.*)$/.exec(line.trim())
    return match === null ? [] : [{ name: match[1]!, text: match[2]!.replace(/\s+/g, ' ') }]
  })
}

/** Returns true for files that the `.dockerignore` beside the Dockerfile leaves out of the context. */
export function readIgnored(file: string): (path: string) => boolean {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return (path) =>
    patterns.some((pattern) =>
      pattern.startsWith('**/')
        ? path.split('/').includes(pattern.slice('**/'.length))
        : path === pattern || path.startsWith(`${pattern}/`),
    )
}

/** Paths at the beginning of the root of an image that its commands name. */
const imagePaths = /(?<![\w./])\/(?=(?:src|opt|etc|var|usr\/local)\b)/g

/**
 * Executes all instructions. `files` are the paths of the context, `folder` receives the stages. With `root`, this
 * process may change owners.
 */
export async function executeDockerfile(
  file: string,
  { context, files, folder, root }: { context: string; files: readonly string[]; folder: string; root: boolean },
): Promise<Image> {
  const stages = new Map<string, string>()
  let stage = newStage(join(folder, 'stage-0'))
  for (const { name, text } of readDockerfile(file)) {
    if (name === 'ARG') continue
    else if (name === 'FROM') {
      stage = newStage(join(folder, `stage-${stages.size}`))
      stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? 'last', stage.root)
    } else if (name === 'COPY') copy(text, stage, { context, files, stages })
    else if (name === 'RUN') await runIn(stage, root ? text : text.replace(/ && chown \S+ \S+/, ''))
    else if (name === 'WORKDIR') {
      stage.workingDirectory = text
      mkdirSync(stage.onHost(text), { recursive: true })
    } else if (name === 'ENV') {
      for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.environment[key!] = stage.onHost(value!)
    } else if (name === 'USER') stage.user = text
    else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(text)
    else if (name === 'CMD') stage.command = JSON.parse(text)
    else if (name === 'HEALTHCHECK') stage.healthCheck = JSON.parse(text.replace(/^.*? CMD /, ''))
    else if (!['EXPOSE', 'VOLUME', 'STOPSIGNAL'].includes(name)) throw new Error(`${name} is not covered`)
  }
  return stage
}

function newStage(root: string) {
  mkdirSync(root, { recursive: true })
  for (const path of ['usr/local/bin', 'opt', 'etc', 'var/lib']) mkdirSync(join(root, path), { recursive: true })
  return {
    root,
    environment: {} as Record<string, string>,
    user: 'root',
    workingDirectory: '/',
    entrypoint: [] as string[],
    command: [] as string[],
    healthCheck: [] as string[],
    onHost: (text: string) => text.replaceAll(imagePaths, `${root}/`),
  }
}
type Stage = ReturnType<typeof newStage>

interface Sources {
  readonly context: string
  readonly files: readonly string[]
  readonly stages: ReadonlyMap<string, string>
}

function copy(text: string, stage: Stage, { context, files, stages }: Sources): void {
  const [from, source, target] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text)!.slice(1) as [string?, string?, string?]
  const destination = target === '.' ? stage.onHost(stage.workingDirectory) : stage.onHost(target!)
  if (from !== undefined) {
    cpSync(join(stages.get(from)!, source!), destination, { recursive: true, verbatimSymlinks: true })
    return
  }
  const chosen = source === '.' ? files : files.filter((path) => path === source)
  if (chosen.length === 0) throw new Error(`COPY ${source}: not in the context`)
  for (const path of chosen) {
    const to = source === '.' ? join(destination, path) : destination
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(context, path), to)
  }
}

async function runIn(stage: Stage, command: string): Promise<void> {
  const { PATH, HOME } = process.env
  await promisify(execFile)('sh', ['-ec', stage.onHost(command)], {
    cwd: stage.onHost(stage.workingDirectory === '/' ? stage.root : stage.workingDirectory),
    env: { PATH, HOME, ...stage.environment },
    maxBuffer: 64 << 20,
  })
}
