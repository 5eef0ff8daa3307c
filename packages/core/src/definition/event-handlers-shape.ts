/**
 * Event handlers of definitions and of the configuration: `{handler_name, handler_meta}`, by event. Documents keep them as
 * they are written, and an invalid handler is ignored and logged (`observability/events/read-handlers.ts`).
 * Source: docs/reference/events.md#event-list.
 */
import { describedValue, wordOf } from '../lib/shape/free-value.ts'
import {
  anything,
  boolean,
  described,
  integer,
  list,
  map,
  object,
  optional,
  type Shape,
  text,
} from '../lib/shape/shape.ts'

const hookMembers = {
  method: described('Web hooks: the method. Default: GET.', text),
  targetPath: described('Web hooks: the http or https URL that is called.', text),
  templatePath: described('Web hooks: file of the template of the body. Default: a JSON object.', text),
  headerMap: described('Web hooks: headers of the request.', map(text)),
  eventTimeout: described('Web hooks: seconds in which equal events are sent once. Default: 0, all.', integer),
  disabled: described('The handler does nothing.', boolean),
  name: described('Scripts: the name of the object that the file defines.', text),
  id: text,
}

/** Settings of a web hook. */
export const hookShape = object(hookMembers)
/** Settings of a log handler. */
export const logHandlerShape = object({ prefix: text })
/** Settings of a script. */
export const eventScriptShape = object({ name: text, path: text, id: text, disabled: boolean })

const handlerShape = object({
  handlerName: described(
    'eh_web_hook_handler: a web hook. eh_log_handler: a log line. eh_dynamic_handler: a script.',
    wordOf('eh_web_hook_handler', 'eh_log_handler', 'eh_dynamic_handler'),
  ),
  handlerMeta: object({
    ...hookMembers,
    prefix: described('Log handlers: the text before the message.', text),
    path: described('Scripts: the file.', text),
  }),
})

/** Handlers by event. */
export const eventHandlersShape = object({
  events: described(
    'Handlers, by the name of the event.',
    map(described('The handlers of the event.', list(describedValue(anything, handlerShape)))),
  ),
})

/** A web hook outside of a list of handlers. */
export const webHookDocument: Shape<unknown> = describedValue(anything, optional(hookShape))
