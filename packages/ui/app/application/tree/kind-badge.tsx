const short: Readonly<Record<string, string>> = {
  ConfigMap: 'cm',
  CronJob: 'cj',
  CustomResourceDefinition: 'crd',
  DaemonSet: 'ds',
  Deployment: 'deploy',
  EndpointSlice: 'eps',
  Endpoints: 'ep',
  HorizontalPodAutoscaler: 'hpa',
  Ingress: 'ing',
  Job: 'job',
  Namespace: 'ns',
  NetworkPolicy: 'netpol',
  PersistentVolumeClaim: 'pvc',
  Pod: 'pod',
  ReplicaSet: 'rs',
  Role: 'role',
  RoleBinding: 'rb',
  Secret: 'secret',
  Service: 'svc',
  ServiceAccount: 'sa',
  StatefulSet: 'sts',
};

/** The short name of a kind, as kubectl knows it. */
export const KindBadge = ({ kind }: { readonly kind: string }) => (
  <span className="kind-badge" aria-hidden="true">
    {short[kind] ?? kind.replace(/[a-z]/gu, '').toLowerCase().slice(0, 5)}
  </span>
);
