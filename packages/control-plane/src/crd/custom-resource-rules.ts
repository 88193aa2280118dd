import type { Json, JsonObject } from '@fairlead/kube';
import { forbidden } from '../access/attributes.ts';
import type { Draft, KindRules } from '../resource.ts';
import { applyDefaults } from './default-values.ts';
import { type Definition, isConditionTrue, type Version } from './definition.ts';
import { pruneResource } from './prune.ts';
import type { Structural } from './structural.ts';

/** How objects of one version of a CRD behave. `storedSchema` is that of the stored version, where it is another. */
export function customResourceRules(
  definition: Definition,
  version: Version,
  schema: Structural,
  storedSchema: Structural | undefined,
): KindRules {
  const { group, names } = definition.spec;
  const hasStatus = version.subresources?.status != null;
  const terminating = definition.metadata.deletionTimestamp !== undefined || isConditionTrue(definition, 'Terminating');

  const settle = (draft: Draft): void => {
    pruneResource(draft as JsonObject, schema);
    applyDefaults(draft as Json, schema);
  };

  return {
    default: settle,
    prepareCreate(draft) {
      if (!hasStatus) return;
      delete draft.status;
      // A default for the status as a whole shows on the first read already.
      settle(draft);
    },
    admit(draft, old) {
      if (old || !terminating) return;
      throw forbidden(
        { group, resource: names.plural, name: draft.metadata.name },
        'create not allowed while custom resource definition is terminating',
      );
    },
    verify(draft) {
      // What the stored version cannot hold is lost, and the answer shows it.
      if (storedSchema) pruneResource(draft as JsonObject, storedSchema);
    },
  };
}
