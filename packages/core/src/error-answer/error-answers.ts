/** Turns rejections into answers: JSON or XML, by the request's Content-Type. Source: spec/apis-and-pipeline.md 4.11. */
import type { Rejection } from '../errors.ts'
import type { Answer, GatewayRequest } from '../http.ts'

export interface ErrorAnswers {
  render(rejection: Rejection, request: GatewayRequest): Answer
}
