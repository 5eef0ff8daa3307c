/** Responses that the operations on documents share in the OpenAPI document. */
import { doneResponse, type Operation } from '../operation.ts'

const unwritable = { description: 'A file cannot be written' }

/** Responses of operations that create a document; `unfit` describes status 400. */
export function createResponses(unfit: string): Operation['responses'] {
  return { 200: doneResponse, 400: unfit, 422: 'The new version has no name', 500: unwritable }
}

/** Responses of operations that change the document of a loaded API. */
export function changeResponses(unfit: string, notFound = 'API not found'): Operation['responses'] {
  return { 200: doneResponse, 400: unfit, 404: notFound, 500: unwritable }
}
