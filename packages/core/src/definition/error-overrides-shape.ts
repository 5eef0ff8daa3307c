/** `error_overrides` of definitions and of the configuration (docs/reference/error-responses.md#error-overrides). */
import { field, integer, list, map, type Of, object, optional, text } from '../lib/shape/shape.ts'

const omittedText = field(text, { omitZero: true })

/** Rules by status (`401`) or class (`4xx`). */
export const errorOverridesShape = map(
  list(
    object({
      match: field(
        optional(
          object({ flag: omittedText, messagePattern: omittedText, bodyField: omittedText, bodyValue: omittedText }),
        ),
        { omitZero: true },
      ),
      response: optional(
        object({
          statusCode: field(integer, { omitZero: true }),
          body: omittedText,
          message: omittedText,
          template: omittedText,
          headers: field(map(text), { omitZero: true }),
        }),
      ),
    }),
  ),
)
export type ErrorOverridesDocument = Of<typeof errorOverridesShape>
