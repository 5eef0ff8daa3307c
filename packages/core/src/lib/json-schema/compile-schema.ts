/**
 * A validator for JSON Schema draft 4, 6 and 7, based on ajv. Failures are reported as data, and each caller has a
 * table that turns them into text. ajv is loaded, and a schema compiled, when the first value is validated, so that
 * they do not delay the start. References must stay inside the document, so nothing is fetched. Patterns are RE2.
 */
import type { Ajv, ValidateFunction } from 'ajv'
import { type Maybe, when } from '../maybe.ts'
import { compileRe2 } from '../regex/re2.ts'
import { type AjvModule, addKeywords, withoutReferences } from './composition.ts'
import { SchemaPreparer } from './prepare-schema.ts'
import type { Dialect, SchemaError } from './schema.ts'
import { TooManyErrors, TooMuchWork, WorkLimit } from './work-limit.ts'

/** Returns the failures of a value, at most about a hundred; an empty list means that the value is valid. */
export type FindErrors = (value: unknown) => Maybe<readonly SchemaError[]>

export interface CompiledSchema {
  readonly findErrors: FindErrors
  /** Why the schema is invalid. Its invalid parts accept no value. */
  readonly problem: string | undefined
}

let loaded: AjvModule | undefined

async function loadAjv(): Promise<AjvModule> {
  // A bundler sees only the default export of a CommonJS module.
  const { default: ajv } = await import('ajv')
  loaded = ajv
  return loaded
}

/** The schemas of one document. References are resolved in the document. */
export class SchemaSet {
  readonly #dialect: Dialect
  readonly #preparer: SchemaPreparer
  readonly #limit: WorkLimit
  #ajv: Ajv | undefined

  /** `now`: the clock that bounds the time of a validation, in milliseconds. Default: that of the runtime. */
  constructor(document: unknown, dialect: Dialect, now?: () => number) {
    this.#limit = new WorkLimit(now)
    this.#dialect = dialect
    this.#preparer = new SchemaPreparer(document, dialect)
  }

  compile(schema: unknown): CompiledSchema {
    const name = this.#preparer.add(schema)
    let validate: ValidateFunction | undefined
    return {
      problem: this.#preparer.problem,
      findErrors: (value) =>
        when(loaded ?? loadAjv(), (module) => {
          validate ??= this.#validator(module, name)
          return this.#run(validate, value)
        }),
    }
  }

  #validator(module: AjvModule, name: string): ValidateFunction {
    this.#ajv ??= this.#makeAjv(module)
    for (const [added, schema] of this.#preparer.schemas) {
      if (this.#ajv.schemas[added] === undefined) this.#ajv.addSchema(schema, added)
    }
    // ajv compiles it at the first call.
    return this.#ajv.getSchema(name) as ValidateFunction
  }

  #makeAjv(module: AjvModule): Ajv {
    const ajv = new module.Ajv({
      ...{ allErrors: true, verbose: true, messages: false, ownProperties: true },
      // `SchemaPreparer` has checked the schemas.
      ...{ meta: false, validateSchema: false, strict: false, strictNumbers: false, logger: false },
      formats: this.#dialect.formats,
      // Compiling takes half as long without, and a run hardly longer.
      code: { regExp: re2, optimize: false },
    })
    addKeywords(ajv, module, this.#limit, this.#dialect)
    return ajv
  }

  #run(validate: ValidateFunction, value: unknown): readonly SchemaError[] {
    this.#limit.start(value)
    try {
      return validate(value) ? [] : this.#arrange(validate.errors as readonly SchemaError[])
    } catch (error) {
      if (error instanceof TooManyErrors) return this.#arrange(error.errors)
      const keyword = error instanceof TooMuchWork ? 'work' : error instanceof RangeError ? 'depth' : undefined
      if (keyword === undefined) throw error
      return [{ keyword, instancePath: '', params: {}, data: value }]
    }
  }

  #arrange(errors: readonly SchemaError[]): readonly SchemaError[] {
    return this.#dialect.arrange(withoutReferences(errors))
  }
}

/** Adapts RE2 to the regular expression interface of ajv. An invalid pattern matches nothing. */
const re2 = Object.assign(
  (pattern: string) => {
    const compiled = compileRe2(pattern)
    const test = compiled.problem === undefined ? (text: string) => compiled.test(text) : () => false
    // ajv caches compiled patterns by this text.
    return { test, toString: () => pattern }
  },
  { code: 'compileRe2' },
)
