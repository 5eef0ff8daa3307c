/**
 * Event handlers of definitions and of the configuration: `{handler_name, handler_meta}`, by event. Documents keep them as
 * they are written, and an invalid handler is ignored and logged (`observability/events/read-handlers.ts`).
 * Source: docs/reference/events.md#event-list.
 */
import { describedValue, wordOf } from '../lib/shape/free-value.ts'
import { anything, boolean, field, integer, list, map, object, optional, type Shape, text } from '../lib/shape/shape.ts'

const hookMembers = {
  method: field(text, { description: 'Web hooks: the method. Default: GET.' }),
  targetPath: field(text, { description: 'Web hooks: the http or https URL that is called.' }),
  templatePath: field(text, { description: 'Web hooks: file of the template of the body. Default: a JSON object.' }),
  headerMap: field(map(text), { description: 'Web hooks: headers of the request.' }),
  eventTimeout: field(integer, {
    description: 'Web hooks: seconds in which equal events are sent once. Default: 0, all.',
  }),
  disabled: field(boolean, { description: 'The handler does nothing.' }),
  name: field(text, { description: 'Scripts: the name of the object that the file defines.' }),
  id: text,
}

/** Settings of a web hook. */
export const hookShape = object(hookMembers)
/** Settings of a log handler. */
export const logHandlerShape = object({ prefix: text })
/** Settings of a script. */
export const eventScriptShape = object({ name: text, path: text, id: text, disabled: boolean })

const handlerShape = object({
  handlerName: field(wordOf('eh_web_hook_handler', 'eh_log_handler', 'eh_dynamic_handler'), {
    description: 'eh_web_hook_handler: a web hook. eh_log_handler: a log line. eh_dynamic_handler: a script.',
  }),
  handlerMeta: object({
    ...hookMembers,
    prefix: field(text, { description: 'Log handlers: the text before the message.' }),
    path: field(text, { description: 'Scripts: the file.' }),
  }),
})

/** Handlers by event. */
export const eventHandlersShape = object({
  events: field(map(list(describedValue(anything, handlerShape))), {
    description: 'Handlers, by the name of the event.',
  }),
})

/** A web hook outside of a list of handlers. */
export const webHookDocument: Shape<unknown> = describedValue(anything, optional(hookShape))
