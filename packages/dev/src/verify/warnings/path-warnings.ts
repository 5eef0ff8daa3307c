/**
 * Finds paths that behave differently from what the files suggest. It inspects a sample path of each rule on the
 * user's gateway, with a key of each kind and without a key. No request is counted.
 */
import type { ApiDefinition, ApiVersion } from '@turnpike/core/definition'
import type { StageName } from '@turnpike/core/pipeline'
import type { Place } from '../field-positions.ts'
import { rightPlace } from '../find-limit-field.ts'
import { quoted } from '../format-text.ts'
import type { Inspection, Sandbox } from '../gateway-sandbox.ts'
import type { KeyPlan } from '../key-plan.ts'
import { formsOf, type PathSample, samplesOfUrls, samplesOfVersion, speaksOf } from '../path-samples.ts'
import { type Credential, openVersions, requestFor, whyNoRequest } from '../possible-requests.ts'
import { makeKey } from '../trace-subjects.ts'
import type { Warning } from '../warning.ts'
import { coversAll } from './patterns-cover-all.ts'
import { type Facts, grants } from './warning-facts.ts'

interface Served {
  readonly api: ApiDefinition
  readonly version: ApiVersion
}

/** Lists of rules that block or allow a path by themselves. */
const decidingRules = new Set(['ignored', 'white_list', 'black_list', 'mock_response'])

export async function pathWarnings(sandbox: Sandbox, facts: Facts): Promise<Warning[]> {
  const found: Warning[] = []
  for (const api of facts.apis) {
    if (whyNoRequest(api) !== undefined) continue
    const holders = await holdersOf(sandbox, facts, api)
    if (!(await isShadowed(sandbox, api, found))) {
      for (const version of api.versions.values()) await lookAtVersion(sandbox, { api, version }, holders, found)
    }
    for (const { plan, limits } of holders) {
      const isOpen = [...api.versions.keys()].some((name) => limits.versions.includes(name))
      if (api.versioning.kind === 'named' && !isOpen) {
        found.push({
          kind: 'path-unreachable',
          source: plan.words,
          sentence: `${plan.words} opens "${api.id}" but none of its versions, so that its keys are rejected there`,
          fix: `name versions of "${api.id}" in access_rights: ${quoted([...api.versions.keys()])}`,
          place: rightPlace(plan, api.id),
        })
      }
    }
  }
  return found
}

interface Holder {
  readonly plan: KeyPlan
  readonly limits: ReturnType<typeof grants>[number]['limits']
  readonly credential: Credential
}

async function holdersOf(sandbox: Sandbox, facts: Facts, api: ApiDefinition): Promise<Holder[]> {
  const holders: Holder[] = []
  for (const { plan, api: granted, limits } of grants(facts)) {
    if (granted !== api || api.authModes.length === 0) continue
    const made = await makeKey(sandbox, plan, `path-${api.id}-${holders.length}`)
    if (!('problem' in made)) holders.push({ plan, limits, credential: made })
  }
  return holders
}

/** The whole API is inside the listen path of another one. */
async function isShadowed(sandbox: Sandbox, api: ApiDefinition, found: Warning[]): Promise<boolean> {
  const [version] = api.versions.values()
  if (version === undefined) return true
  const { apiId } = await sandbox.inspect(requestFor({ api, version, method: 'GET', path: '/' }, undefined))
  if (apiId === undefined || apiId === api.id) return false
  found.push({
    kind: 'path-shadowed',
    source: api.source,
    sentence: `nobody reaches "${api.id}": requests for its listen path ${api.listenPath} go to "${apiId}"`,
    fix: 'give each API a listen path that the other does not begin with',
    place: { of: 'api', id: api.id, path: ['proxy', 'listen_path'] },
  })
  return true
}

async function lookAtVersion(
  sandbox: Sandbox,
  place: Served,
  holders: readonly Holder[],
  found: Warning[],
): Promise<void> {
  const { api, version } = place
  const ofKeys = holders
    .filter(({ limits }) => openVersions(api, limits).includes(version))
    .flatMap((holder) => samplesOfUrls(holder.limits.allowedUrls).map((sample) => ({ sample, holder })))
  const all: { readonly sample: PathSample; readonly holder: Holder | undefined }[] = [
    ...samplesOfVersion(version).map((sample) => ({ sample, holder: undefined })),
    ...ofKeys.map(({ sample, holder }) => ({ sample: withoutListenPath(sample, api), holder })),
  ]
  for (const { sample, holder } of all) {
    const target = { api, version, method: sample.method, path: sample.path }
    const open = await sandbox.inspect(requestFor(target, undefined))
    if (open.apiId !== undefined && open.apiId !== api.id) found.push(elsewhere(place, sample, holder, open.apiId))
    else if (api.authModes.length > 0) {
      const answered = hasResponse(open)
      if (answered) openToAll(place, sample, holder, found)
      else await mayBeShut(sandbox, place, sample, holder, holders, found)
    }
  }
}

/** An entry of `allowed_urls` can include the listen path. */
function withoutListenPath(sample: PathSample, { listenPath }: ApiDefinition): PathSample {
  const prefix = listenPath.replace(/\/$/, '')
  if (prefix === '' || !sample.path.startsWith(`${prefix}/`)) return sample
  return { ...sample, path: sample.path.slice(prefix.length) }
}

const hasResponse = (look: Inspection) => !look.rejected && look.stage !== ''

function elsewhere({ api, version }: Served, sample: PathSample, holder: Holder | undefined, apiId: string): Warning {
  const prefix = api.listenPath.replace(/\/$/, '')
  return {
    kind: 'path-shadowed',
    source: api.source,
    sentence: `${sample.method} ${prefix}${sample.path} goes to "${apiId}", not to "${api.id}", although ${claim(sample, holder, api)}: the longer listen path wins`,
    fix: `move one of the two listen paths, or take the rule to "${apiId}"`,
    place: rulePlace(api, version, sample, holder),
  }
}

/** Returns the source that assigns the path to this API. */
function claim({ rule }: PathSample, holder: Holder | undefined, { id }: ApiDefinition): string {
  return holder === undefined ? `a rule ${rule} of "${id}" is for it` : `allowed_urls of ${holder.plan.words} name it`
}

/** The list of rules that contains a sample. */
function rulePlace(api: ApiDefinition, version: ApiVersion, { rule }: PathSample, holder: Holder | undefined): Place {
  if (holder !== undefined) return rightPlace(holder.plan, api.id)
  return { of: 'api', id: api.id, path: ['version_data', 'versions', version.name, 'extended_paths', rule] }
}

/** A response without a key is intended for the rule that configures it; for every other rule it is a warning. */
function openToAll({ api, version }: Served, sample: PathSample, holder: Holder | undefined, found: Warning[]): void {
  const { ignored, mockResponse } = version.paths
  const mock = mockResponse.find((rule) => speaksOf(rule, sample.method, formsOf(api, sample.path)))
  const listed = ignored.find((rule) => speaksOf(rule, sample.method, formsOf(api, sample.path)))
  const where = `${sample.method} ${sample.path} of "${api.id}"`
  if (mock !== undefined) {
    if (sample.rule !== 'mock_response') return
    found.push({
      kind: 'open-without-key',
      source: api.source,
      sentence: `everybody gets the mock response for ${where} without a key, and no limit counts it: mock responses are given before keys are looked at`,
      fix: 'say so to those who rely on the key, or put the mock on a keyless API of its own',
      place: rulePlace(api, version, sample, undefined),
    })
    return
  }
  // A pattern that matches everything has a warning of its own.
  if (listed === undefined || sample.rule === 'ignored' || coversAll(api, listed.path)) return
  const how =
    listed.path === sample.written
      ? `the ignored path "${listed.path}" is looked at first`
      : `the ignored path "${listed.path}" fits it too`
  const what = sample.rule === 'black_list' ? 'the list of blocked paths shuts it' : claim(sample, holder, api)
  found.push({
    kind: 'open-without-key',
    source: api.source,
    sentence: `everybody reaches ${where} without a key: ${how}, although ${what}`,
    fix: `write the ignored path so that it fits nothing else: ^${listed.path.replace(/^\^|\$$/g, '')}$`,
    place: rulePlace(api, version, { ...sample, rule: 'ignored' }, undefined),
  })
}

/** Reports a rule for requests that no client can make. */
async function mayBeShut(
  sandbox: Sandbox,
  { api, version }: Served,
  sample: PathSample,
  holder: Holder | undefined,
  holders: readonly Holder[],
  found: Warning[],
): Promise<void> {
  if (decidingRules.has(sample.rule)) return
  const asking =
    holder === undefined ? holders.filter(({ limits }) => openVersions(api, limits).includes(version)) : [holder]
  if (asking.length === 0) return
  const looks: Inspection[] = []
  for (const { credential } of asking) {
    looks.push(
      await sandbox.inspect(requestFor({ api, version, method: sample.method, path: sample.path }, credential)),
    )
  }
  const pathLists = 'path-lists' satisfies StageName
  const allowedUrls = 'allowed-urls' satisfies StageName
  if (!looks.every((look) => look.rejected && (look.stage === pathLists || look.stage === allowedUrls))) return
  const isList = looks[0]?.stage === pathLists
  const blocked = version.paths.blackList.find((rule) => speaksOf(rule, sample.method, formsOf(api, sample.path)))
  const why = !isList
    ? 'allowed_urls of every key leave it out'
    : blocked === undefined
      ? 'the list of allowed paths of the API leaves it out'
      : `the blocked path "${blocked.path}" fits it`
  const where = `${sample.method} ${sample.path} of "${api.id}"`
  found.push({
    kind: 'path-unreachable',
    source: api.source,
    sentence:
      holder === undefined
        ? `no key reaches ${where}, although a rule ${sample.rule} is for it: ${why}`
        : `${holder.plan.words} opens ${where}, but no key reaches it: ${why}`,
    fix:
      isList && blocked === undefined
        ? 'add the path to white_list, or take it off the policy'
        : 'change one of the two',
    place: rulePlace(api, version, sample, holder),
  })
}
