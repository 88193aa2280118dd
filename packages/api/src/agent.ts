import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind } from './kind.ts';
import { boolean, int32, list, object, oneOf, required, type Static, string, time } from './schema.ts';

const light = (description: string) => string(description);

const schema = object({
  spec: required(
    object(
      {
        mode: required(
          oneOf(
            ['managed', 'autonomous'] as const,
            'The source of truth for Applications: the hub, or the cluster of the agent.',
          ),
        ),
        mapping: oneOf(
          ['namespace', 'destination'] as const,
          'Which Applications of the hub belong to a managed agent: those in the namespace with its name (the default), or those in the namespace of the control plane with it as the destination.',
        ),
        blocked: boolean('Its streams are closed and it cannot open another.'),
        blockedCertificates: list(string(), 'SHA-256 fingerprints of certificates that are no longer trusted.'),
        drained: boolean('No more changes are sent to it; its existing objects are kept.'),
        confirmDeletions: string('The token of the held deletions to confirm, from status.brake.token.'),
        renew: string('A change of this value requests the agent to renew its certificate at once.'),
      },
      'The desired state of the agent.',
    ),
  ),
  status: object({
    cluster: string('The uid of the cluster that has joined; another cluster with this name is refused.'),
    version: string('The version that the agent reports.'),
    certificate: object({ fingerprint: string(), expires: time() }, 'The last certificate issued.'),
    transport: light('Up while a stream is open.'),
    data: light('Fresh if both sides were found equal recently.'),
    live: light('Up while live access to the cluster through the agent works.'),
    reason: string('Why transport, data or live is not as expected, in one sentence.'),
    applications: int32('The number of Applications of the agent.'),
    pending: int32('The number of events that are not acknowledged yet, in both directions.'),
    connectedAt: time(),
    comparedAt: time('When both sides were last compared.'),
    lastSeenTime: time(),
    brake: object(
      { token: string(), deletions: int32(), of: int32() },
      'Deletions that are held until they are confirmed.',
    ),
    quarantined: list(
      object({ kind: string(), name: string(), reason: string() }),
      'Objects that one of the two sides rejects, with the reason; all others are synced.',
    ),
  }),
});

export const agentKind = defineKind({
  group: 'fairlead.dev',
  version: 'v1alpha1',
  kind: 'Agent',
  plural: 'agents',
  namespaced: true,
  description: 'A cluster whose agent connects to this hub.',
  schema,
  statusSubresource: true,
  printerColumns: [
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Transport', type: 'string', jsonPath: '.status.transport' },
    { name: 'Data', type: 'string', jsonPath: '.status.data' },
    { name: 'Live', type: 'string', jsonPath: '.status.live' },
    { name: 'Apps', type: 'integer', jsonPath: '.status.applications' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});

export interface Agent extends KubeObject, Static<typeof schema> {}
