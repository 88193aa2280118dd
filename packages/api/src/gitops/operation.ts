import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { object, type Static, string } from '../schema.ts';
import { gitopsGroup } from './group.ts';

const spec = object({ operationID: string('The row of the Operation table that says what has changed.') });

export interface GitOpsOperation extends KubeObject {
  spec: Static<typeof spec>;
  status?: Record<string, never>;
}

export const gitopsOperationKind: Kind<GitOpsOperation> = defineKind({
  ...gitopsGroup,
  kind: 'Operation',
  plural: 'operations',
  description: 'A notice to the engine that a row of the database has changed.',
  schema: object({ spec, status: object({}) }),
  statusSubresource: true,
}) as unknown as Kind<GitOpsOperation>;
