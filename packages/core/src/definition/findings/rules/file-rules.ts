/** Findings about files and folders: what is read, and what is not. */
import { rulesOf } from '../finding-rule.ts'

const files = rulesOf('reference/startup.md')
const formats = rulesOf('reference/import-formats.md')
const migration = rulesOf('guides/migration.md')
const documents = rulesOf('reference/openapi-documents.md')

export const fileRules = {
  'unreadable-file': files.error('<problem>', '', 'The file does not exist or cannot be read.'),
  'definition-not-loaded': files.error('<problem>', '', 'The gateway does not load the definition.'),
  'unreadable-folder': files.fatal('<label> <problem>', 'create it, or correct the key'),
  'missing-folder-of-original': files.warning('<label> <problem>', 'create it, or correct the key'),
  'missing-file': files.fatal('the file <file> does not exist', 'create it, or correct the key'),
  'no-definition': files.warning('the folder holds no definition', 'add a definition, or correct app_path'),
  'text-behind-json': files.warning(
    'the text behind the JSON value is ignored',
    'remove it, or move it to another file',
  ),
  'definitions-in-subfolder': files.warning(
    'is a folder: definitions in sub-folders are not read',
    'move its definitions to <folder>',
  ),
  'file-ending-in-capitals': files.warning(
    'is not read, because the ending of its name is in capitals',
    'rename it to <name>',
  ),
  'other-file': files.quiet('is not read: definitions are files with the endings .json, .yaml and .yml', 'move it'),
  'document-without-definition': documents.warning('is not served, because its definition <name> is missing', '<fix>'),
  'yaml-without-definition': formats.warning('is not read: it contains no definition', 'move it to another folder'),
  'yaml-document-not-served': formats.warning(
    'is an OpenAPI document in YAML and is not served',
    'convert it with: turnpike import <file>',
  ),
  'checked-as-converted': formats.note(
    'is not a folder of definitions: its exports are checked as they would be converted',
    'turnpike init FOLDER --from writes them',
  ),
  'not-converted': formats.note('<reason>', '', 'turnpike init --from and turnpike import leave this out.'),
  'other-configurations': migration.note(
    'other configurations were found and not read: <names>',
    'name one of them with --from',
  ),
  'unusable-compose-file': migration.note('<problem>', '', 'A Compose file cannot be read.'),
  'definitions-in-database': migration.error(
    'is true: definitions come from the database of a dashboard, which Turnpike does not read',
    'export them to files in app_path, and set it to false',
  ),
}
