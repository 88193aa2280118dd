import type { Schedule } from './update-order.ts';

export interface RuntimeSettings {
  readonly mode: 'cycle' | 'continuous';
  readonly intervalMs: number;
  readonly tickMs: number;
  readonly maxConcurrency: number;
  readonly schedule: Schedule;
  readonly cooldownMs: number;
  readonly perRepositoryCap: number;
  readonly warmUp: boolean;
  readonly controllerNamespace: string;
  readonly annotations: boolean;
}

export const defaultRuntimeSettings: RuntimeSettings = {
  mode: 'cycle',
  intervalMs: 120_000,
  tickMs: 1_000,
  maxConcurrency: 10,
  schedule: 'default',
  cooldownMs: 0,
  perRepositoryCap: 0,
  warmUp: true,
  controllerNamespace: 'argocd',
  annotations: true,
};
