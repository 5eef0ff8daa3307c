/** What the rules of `error_overrides` mean, in definitions and in the configuration. Source: docs/reference/error-responses.md. */
export const errorOverrideDescriptions: Readonly<Record<string, string>> = {
  'error_overrides.*': 'Rules for a status (401) or a class of statuses (4xx); the first that matches counts.',
  'error_overrides.*.match.flag': 'Flag that the error must have, such as AKI.',
  'error_overrides.*.match.message_pattern': 'Regular expression that the text of the error must contain.',
  'error_overrides.*.match.body_field': 'Path of a value in the JSON body of an upstream, such as err.code.',
  'error_overrides.*.match.body_value': 'The text that this value must equal.',
  'error_overrides.*.response.status_code': 'Status of the response. Default: that of the error.',
  'error_overrides.*.response.body': 'Body of the response: a template with .StatusCode and .Message.',
  'error_overrides.*.response.message': 'Text of the error in the usual layout.',
  'error_overrides.*.response.template': 'Name of an error template that builds the body.',
  'error_overrides.*.response.headers': 'Headers of the response.',
}
