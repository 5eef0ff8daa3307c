import type { Rejection } from '../../http/rejections.ts'

/** Thrown into a custom stage that reads a body which cannot be read. The request is then rejected. */
export class BodyRejected extends Error {
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(rejection.message.trim())
    this.name = 'BodyRejected'
    this.rejection = rejection
  }
}
