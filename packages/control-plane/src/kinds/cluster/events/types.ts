import type { KubeObject } from '@fairlead/apimachinery';

interface Reference {
  kind?: string;
  namespace?: string;
  name?: string;
}

/** An event in core/v1; events.k8s.io/v1 has the same fields with other names. */
export interface CoreEvent extends KubeObject {
  involvedObject?: Reference;
  related?: Reference;
  reason?: string;
  message?: string;
  source?: { component?: string; host?: string };
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  type?: string;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string | null };
  action?: string;
  reportingComponent?: string;
  reportingInstance?: string;
}
