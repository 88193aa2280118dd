import { must, type ObjectSchema, schemaOf } from '@fairlead/apimachinery';

/** The schema of a built-in kind. Throws if the type table does not have it. */
export const builtinSchema = (group: string, version: string, kind: string): ObjectSchema =>
  must(schemaOf(group, version, kind), `the schema of ${group}/${version} ${kind}`);
