import { applicationSpec } from '../application/spec.ts';
import { list, mapOf, object, required, type Static, string } from '../schema.ts';

/** The Application that is made for each set of parameters; any text of it may hold a template. */
export const applicationSetTemplate = object({
  metadata: required(
    object({
      name: string(),
      namespace: string('Ignored: an Application is in the namespace of its ApplicationSet.'),
      labels: mapOf(string()),
      annotations: mapOf(string()),
      finalizers: list(string(), 'The finalizer that deletes resources when absent.'),
    }),
  ),
  spec: required(applicationSpec),
});

export interface ApplicationSetTemplate extends Static<typeof applicationSetTemplate> {}
