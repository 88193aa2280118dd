import { tableOf } from './columns.ts';

interface Target {
  averageValue?: string;
  averageUtilization?: number;
  value?: string;
}
interface Metric {
  type: string;
  resource?: { name: string; target?: Target; current?: Target };
  containerResource?: { name: string; target?: Target; current?: Target };
  pods?: { target?: Target; current?: Target };
  object?: { target?: Target; current?: Target };
  external?: { target?: Target; current?: Target };
}

const unknown = '<unknown>';
const percent = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}%`);

function usage(name: string, target: Target = {}, current: Target = {}): string {
  if (target.averageValue !== undefined) return `${name}: ${current.averageValue ?? unknown}/${target.averageValue}`;
  return `${name}: ${percent(current.averageUtilization) ?? unknown}/${percent(target.averageUtilization) ?? '<auto>'}`;
}

function amount(target: Target = {}, current: Target = {}): string {
  if (target.averageValue !== undefined) return `${current.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current.value ?? unknown}/${target.value ?? unknown}`;
}

function metricText(spec: Metric, status: Metric | undefined): string {
  switch (spec.type) {
    case 'Resource':
      return usage(spec.resource?.name ?? '', spec.resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return usage(
        spec.containerResource?.name ?? '',
        spec.containerResource?.target,
        status?.containerResource?.current,
      );
    case 'Pods':
      return `${status?.pods?.current?.averageValue ?? unknown}/${spec.pods?.target?.averageValue ?? unknown}`;
    case 'Object':
      return amount(spec.object?.target, status?.object?.current);
    case 'External':
      return amount(spec.external?.target, status?.external?.current);
    default:
      return '<unknown type>';
  }
}

/** Both lists may be null: they are written even if they are empty. */
function targetsText(
  specs: readonly Metric[] | null | undefined,
  statuses: readonly Metric[] | null | undefined,
): string {
  if (!specs?.length) return '<none>';
  const shown = specs.slice(0, 2).map((spec, index) => metricText(spec, statuses?.[index]));
  return specs.length > 2 ? `${shown.join(', ')} + ${specs.length - 2} more...` : shown.join(', ');
}

export const autoscalers = tableOf<{
  spec?: {
    scaleTargetRef?: { kind?: string; name?: string };
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: Metric[];
  };
  status?: { currentReplicas?: number; currentMetrics?: Metric[] | null };
}>('Name, Reference, Targets, MinPods, MaxPods, Replicas, Age', ({ spec = {}, status = {} }) => [
  `${spec.scaleTargetRef?.kind ?? ''}/${spec.scaleTargetRef?.name ?? ''}`,
  targetsText(spec.metrics, status.currentMetrics),
  String(spec.minReplicas ?? '<unset>'),
  spec.maxReplicas ?? 0,
  status.currentReplicas ?? 0,
]);
