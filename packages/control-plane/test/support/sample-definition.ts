import type { JsonSchema } from '@fairlead/apimachinery';
import type { Definition, Version } from '../../src/crd/definition.ts';

export type { Definition, Version } from '../../src/crd/definition.ts';
export { resourcesOf } from '../../src/crd/resources-of.ts';

/** A CRD of one version for tests. */
export function definition(schema: JsonSchema, more: Partial<Version> = {}): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', resourceVersion: '7' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
      conversion: { strategy: 'None' },
    },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  };
}
