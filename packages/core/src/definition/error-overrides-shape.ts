/** `error_overrides` of definitions and of the configuration (docs/reference/error-responses.md#error-overrides). */
import { described, field, integer, list, map, type Of, object, optional, text } from '../lib/shape/shape.ts'

const omittedText = (description: string) => field(described(description, text), { omitZero: true })

/** Which errors a rule replaces; the extension of OpenAPI documents has the same members. */
export const overrideMatch = {
  flag: omittedText('Flag that the error must have, such as AKI.'),
  messagePattern: omittedText('Regular expression that the text of the error must contain.'),
  bodyField: omittedText('Path of a value in the JSON body of an upstream, such as err.code.'),
  bodyValue: omittedText('The text that this value must equal.'),
}

/** The response of a rule; the extension of OpenAPI documents has the same members. */
export const overrideResponse = {
  statusCode: field(described('Status of the response. Default: that of the error.', integer), { omitZero: true }),
  body: omittedText('Body of the response: a template with .StatusCode and .Message.'),
  message: omittedText('Text of the error in the usual layout.'),
  template: omittedText('Name of an error template that builds the body.'),
  headers: field(described('Headers of the response.', map(text)), { omitZero: true }),
}

/** Rules by status (`401`) or class (`4xx`). */
export const errorOverridesShape = map(
  described(
    'Rules for a status (401) or a class of statuses (4xx); the first that matches counts.',
    list(
      object({
        match: field(optional(object(overrideMatch)), { omitZero: true }),
        response: optional(object(overrideResponse)),
      }),
    ),
  ),
)
export type ErrorOverridesDocument = Of<typeof errorOverridesShape>
