import type { KubeObject } from '../meta/object.ts';

interface FlowSchemaFields extends KubeObject {
  spec?: { matchingPrecedence?: number };
}

export function defaultFlowSchema(schema: FlowSchemaFields): void {
  (schema.spec ??= {}).matchingPrecedence ||= 1000;
}

interface PriorityLevelFields extends KubeObject {
  spec?: {
    limited?: {
      nominalConcurrencyShares?: number;
      lendablePercent?: number;
      limitResponse?: { queuing?: { queues?: number; handSize?: number; queueLengthLimit?: number } };
    };
    exempt?: { nominalConcurrencyShares?: number; lendablePercent?: number };
  };
}

export function defaultPriorityLevel(level: PriorityLevelFields): void {
  const { exempt, limited } = (level.spec ??= {});
  if (exempt) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (!limited) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (!queuing) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
