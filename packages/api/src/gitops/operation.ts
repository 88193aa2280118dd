import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { object, type Static, string } from '../schema.ts';
import { gitopsGroup } from './group.ts';

const spec = object({ operationID: string('The id of the changed row in the Operation table.') });

export interface GitOpsOperation extends KubeObject {
  spec: Static<typeof spec>;
  status?: Record<string, never>;
}

export const gitopsOperationKind: Kind<GitOpsOperation> = defineKind({
  ...gitopsGroup,
  kind: 'Operation',
  plural: 'operations',
  description: 'A notification that a row of the database has changed.',
  schema: object({ spec, status: object({}) }),
  statusSubresource: true,
}) as unknown as Kind<GitOpsOperation>;
