import { expect, test } from 'vitest'
import { namingOf, newStay, ticketOf } from './counter-ticket.ts'

test('tickets differ when the stay, the scope or the time of the policies does, and are numbers above 0', () => {
  const [a, b] = [newStay(), newStay()]
  const namings = [namingOf('', ''), namingOf('x', ''), namingOf('', '7'), namingOf('x', '7'), namingOf('x,', '7')]
  const tickets = [a, b].flatMap((stay) => namings.map((naming) => ticketOf(stay, naming)))
  expect(new Set(tickets).size).toBe(10)
  expect(Math.min(...tickets)).toBeGreaterThan(0)
  expect(namingOf('x', '7')).toBe(namings[3])
})

test('what a number cannot hold has no ticket', () => {
  expect([ticketOf(2 ** 32 - 1, 1), ticketOf(1, 2 ** 20)]).toEqual([-1, -1])
  expect(ticketOf(2 ** 32 - 2, 2 ** 20 - 1)).toBe(2 ** 52 - 2 ** 20 - 1)
})
