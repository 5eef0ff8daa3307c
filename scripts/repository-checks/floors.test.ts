import { expect, test } from 'vitest'
import { checkFloors } from './_floors.mjs'

const { floors } = checkFloors(new Map())

/** A file of each room of a folder, by its path inside the folder. */
const filesOf = (folder: string): string[] =>
  (floors[folder] as string[][]).flat().map((room) => (room.endsWith('.ts') ? room : fileOfRoom(folder, room)))
const fileOfRoom = (folder: string, room: string) => {
  const inside = `${folder}/${room}`
  return `${room}/${inside in floors ? filesOf(inside)[0] : `${room}.ts`}`
}

/** Imports of a project that has every room, with one more import in `folder`. */
function withImport(folder: string, from: string, to: string) {
  const edges = new Map<string, string[]>()
  for (const one of Object.keys(floors)) for (const file of filesOf(one)) edges.set(`${one}/${file}`, [])
  edges.set(`${folder}/${from}`, [`${folder}/${to}`])
  return edges
}

test.each(Object.keys(floors))('an upward import in %s is reported, a downward one is not', (folder) => {
  const files = filesOf(folder)
  const [lowest, highest] = [files[0] as string, files.at(-1) as string]
  expect(checkFloors(withImport(folder, lowest, highest)).problems).toEqual([
    expect.stringContaining(`${folder}/${lowest}: `),
  ])
  expect(checkFloors(withImport(folder, highest, lowest)).problems).toEqual([])
})

test.each(Object.keys(floors))('a room of %s without a floor is reported', (folder) => {
  const edges = withImport(folder, filesOf(folder)[0] as string, 'new-room/file.ts')
  edges.set(`${folder}/new-room/file.ts`, [])
  expect(checkFloors(edges).problems).toContain(`${folder}: new-room is on no floor of _floors.mjs`)
})
