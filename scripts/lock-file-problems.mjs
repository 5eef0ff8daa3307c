// What makes installed packages differ from those of the lock files: the rules of repository-checks/lock-file.mjs.

const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/
/** Settings that turn off the verification of packages, with the value that does. */
const unsafeSettings = [
  ['verifyStoreIntegrity', false],
  ['strictStorePkgContentCheck', false],
  ['blockExoticSubdeps', false],
  ['dangerouslyAllowAllBuilds', true],
]

/**
 * @param {object} lock parsed pnpm-lock.yaml
 * @returns problems as sentences
 */
export function pnpmLockProblems(lock) {
  const problems = []
  for (const [name, { resolution = {} }] of Object.entries(lock.packages)) {
    const members = Object.keys(resolution).join(', ')
    if (members !== 'integrity') problems.push(`pnpm-lock.yaml: ${name} is resolved by ${members}, not by the registry`)
    else if (!sha512.test(resolution.integrity)) problems.push(`pnpm-lock.yaml: ${name} has no SHA-512`)
  }
  for (const [folder, importer] of Object.entries(lock.importers ?? {})) {
    const dependencies = { ...importer.dependencies, ...importer.devDependencies, ...importer.optionalDependencies }
    for (const [name, { specifier }] of Object.entries(dependencies)) {
      if (/^(?!npm:|workspace:)[^@]*[:/]/.test(specifier))
        problems.push(`${folder}/package.json: ${name} comes from ${specifier}, not from the registry`)
    }
  }
  return problems
}

/**
 * @param {object} lock parsed scripts/pnpm/package-lock.json
 * @param {string | undefined} packageManager of the root's package.json
 */
export function npmLockProblems(lock, packageManager) {
  const file = 'scripts/pnpm/package-lock.json'
  const problems = []
  for (const [path, { integrity, resolved }] of Object.entries(lock.packages)) {
    if (path === '') continue
    if (resolved !== undefined) problems.push(`${file}: ${path} names a URL`)
    if (!sha512.test(integrity ?? '')) problems.push(`${file}: ${path} has no SHA-512`)
  }
  const { version, integrity = '' } = lock.packages['node_modules/pnpm'] ?? {}
  const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  if (packageManager !== `pnpm@${version}+sha512.${digest}`)
    problems.push(`package.json: packageManager is not pnpm@${version}+sha512.${digest} of ${file}`)
  return problems
}

/** @param {object} settings parsed pnpm-workspace.yaml */
export function workspaceProblems(settings) {
  const problems = unsafeSettings
    .filter(([name, value]) => settings[name] === value)
    .map(([name, value]) => `pnpm-workspace.yaml: ${name} is ${value}, which turns off a check of packages`)
  for (const [name, allowed] of Object.entries(settings.allowBuilds ?? {}))
    if (allowed !== false) problems.push(`pnpm-workspace.yaml: allowBuilds lets ${name} run a script at installation`)
  return problems
}
