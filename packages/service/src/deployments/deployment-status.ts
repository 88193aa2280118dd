import {
  type ApplicationStatus,
  type GitOpsDeploymentStatus,
  gitopsDeploymentKind,
  type StructuralSchema,
} from '@fairlead/api';
import type { Condition } from '@fairlead/apimachinery';
import { must } from '@fairlead/apimachinery';
import { conditionType, type DesiredCondition, nextConditions } from '../conditions.ts';

export interface DeploymentState {
  readonly previous: readonly Partial<Condition>[];
  /** The problem that prevents the deployment, if any. */
  readonly error?: { readonly reason: string; readonly message: string };
  /** The status of the Application, if there is one. */
  readonly instance?: ApplicationStatus;
  /** The destination in the tenant's terms. */
  readonly environment: string;
  readonly now: string;
}

const statusSchema = must(gitopsDeploymentKind.schema.properties?.['status'], 'the schema of the status');

/** The status of a GitOpsDeployment. */
export function deploymentStatus(state: DeploymentState): GitOpsDeploymentStatus {
  const { instance = {} } = state;
  const conditions = nextConditions(state.previous, desiredConditions(state), state.now);
  const { comparedTo } = instance.sync ?? {};
  const source = comparedTo?.source;
  const status = {
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(instance.health ? { health: instance.health } : {}),
    ...(instance.sync ? { sync: instance.sync } : {}),
    ...(instance.resources ? { resources: instance.resources } : {}),
    ...(instance.operationState ? { operationState: withPaths(instance.operationState) } : {}),
    reconciledState: {
      source: {
        repoURL: source?.repoURL ?? '',
        path: source?.path ?? '',
        branch: source?.targetRevision ?? '',
      },
      destination: {
        name: comparedTo ? state.environment : '',
        namespace: comparedTo?.destination.namespace ?? '',
      },
    },
  };
  return prune(statusSchema, status) as GitOpsDeploymentStatus;
}

function desiredConditions({ error, instance }: DeploymentState): DesiredCondition[] {
  const own = error ? [{ type: conditionType.errorOccurred, status: 'True', ...error }] : [];
  const types = new Set<string>();
  const reported = (instance?.conditions ?? []).flatMap(({ type, message }) => {
    if (types.has(type)) return [];
    types.add(type);
    return [{ type, status: 'True', reason: type, message }];
  });
  return [...own, ...reported.filter(({ type }) => type !== conditionType.errorOccurred)];
}

/** The kind requires a path of every source; Argo CD leaves out an empty one. */
function withPaths(state: NonNullable<ApplicationStatus['operationState']>): unknown {
  const path = <T extends object | undefined>(source: T): T => (source ? { path: '', ...source } : source);
  const { syncResult, operation } = state;
  return {
    ...state,
    operation: operation.sync?.source
      ? { ...operation, sync: { ...operation.sync, source: path(operation.sync.source) } }
      : operation,
    ...(syncResult?.source ? { syncResult: { ...syncResult, source: path(syncResult.source) } } : {}),
  };
}

/** Only fields of the schema: the server would drop the others, and every comparison would find a difference. */
export function prune(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (schema.items ? prune(schema.items, item) : item));
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties } = schema;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const known = properties?.[name] ?? additionalProperties;
    return known && inner !== undefined && inner !== null ? [[name, prune(known, inner)]] : [];
  });
  return Object.fromEntries(entries);
}

/** The part of an Application's status that tenants get. The rest changes with every refresh. */
export function essentialStatus(status: ApplicationStatus | undefined): ApplicationStatus {
  const { sync, health, resources, conditions, operationState } = status ?? {};
  return {
    ...(sync ? { sync } : {}),
    ...(health
      ? {
          health: {
            ...(health.status ? { status: health.status } : {}),
            ...(health.message ? { message: health.message } : {}),
          },
        }
      : {}),
    ...(resources ? { resources } : {}),
    ...(conditions ? { conditions } : {}),
    ...(operationState ? { operationState } : {}),
  };
}
