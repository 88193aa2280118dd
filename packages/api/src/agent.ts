import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind } from './kind.ts';
import { boolean, int32, list, object, oneOf, required, type Static, string, time } from './schema.ts';

const light = (description: string) => string(description);

const schema = object({
  spec: required(
    object(
      {
        mode: required(
          oneOf(['managed', 'autonomous'] as const, 'Who decides what there is: the hub, or the cluster of the agent.'),
        ),
        mapping: oneOf(
          ['namespace', 'destination'] as const,
          'Which Applications of the hub a managed agent has: those in the namespace of its name (when absent), or those in the control plane’s namespace whose destination names it.',
        ),
        blocked: boolean('Its streams are ended and it may open no other.'),
        blockedCertificates: list(string(), 'SHA-256 fingerprints of certificates that are no longer trusted.'),
        drained: boolean('It is to be sent nothing more; what it has stays.'),
        confirmDeletions: string(
          'The token of held deletions that a person has seen and means, from status.brake.token.',
        ),
        renew: string('When this changes, the agent is asked to get a new certificate at once.'),
      },
      'What the hub wants of the agent.',
    ),
  ),
  status: object({
    cluster: string('Names the cluster that has joined; another one under this name is refused.'),
    version: string('What the agent says it is.'),
    certificate: object({ fingerprint: string(), expires: time() }, 'The last certificate issued.'),
    transport: light('Up while a stream is open.'),
    data: light('Fresh while both sides were found equal not long ago.'),
    live: light('Up while live access to the cluster through the agent works.'),
    reason: string('Why a light is not as it should be, in one sentence.'),
    applications: int32('How many Applications the agent has.'),
    pending: int32('How many events are still to be sent, to the agent or by it.'),
    connectedAt: time(),
    comparedAt: time('When both sides were last compared.'),
    lastSeenTime: time(),
    brake: object(
      { token: string(), deletions: int32(), of: int32() },
      'Deletions that are held until a person confirms them.',
    ),
    quarantined: list(
      object({ kind: string(), name: string(), reason: string() }),
      'What one of the two sides cannot take, and why; everything else flows.',
    ),
  }),
});

export const agentKind = defineKind({
  group: 'fairlead.dev',
  version: 'v1alpha1',
  kind: 'Agent',
  plural: 'agents',
  namespaced: true,
  description: 'A cluster whose agent dials in to this hub.',
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
