/**
 * The ClusterRoles that every cluster starts with. The name of a role is unindented, its rules are below it: `VERBS on GROUPS: RESOURCES
 * [named NAMES]`, or `VERBS at URLS`; four spaces continue a line.
 */
export const clusterRoleTable = `
admin
cluster-admin
  * on *: *
  * at *
edit
system:aggregate-to-admin
  create on authorization.k8s.io: localsubjectaccessreviews
  create delete deletecollection get list patch update watch on rbac.authorization.k8s.io: rolebindings roles
system:aggregate-to-edit
  get list watch on core: pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy
  impersonate on core: serviceaccounts
  create delete deletecollection patch update on core: pods pods/attach pods/exec pods/portforward pods/proxy
  create on core: pods/eviction
  create delete deletecollection patch update on core: configmaps persistentvolumeclaims replicationcontrollers
    replicationcontrollers/scale secrets serviceaccounts services services/proxy
  create on core: serviceaccounts/token
  create delete deletecollection patch update on core events.k8s.io: events
  create delete deletecollection patch update on apps: daemonsets deployments deployments/rollback deployments/scale
    replicasets replicasets/scale statefulsets statefulsets/scale
  create delete deletecollection patch update on autoscaling: horizontalpodautoscalers
  create delete deletecollection patch update on batch: cronjobs jobs
  create delete deletecollection patch update on extensions: daemonsets deployments deployments/rollback
    deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale
  create delete deletecollection patch update on policy: poddisruptionbudgets
  create delete deletecollection patch update on networking.k8s.io: ingresses networkpolicies
  create delete deletecollection get list patch update watch on coordination.k8s.io: leases
  create delete deletecollection patch update on resource.k8s.io: resourceclaims resourceclaimtemplates
system:aggregate-to-view
  get list watch on core: configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods
    replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status
  get list watch on core: bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status
    resourcequotas resourcequotas/status
  get list watch on core: namespaces
  get list watch on core events.k8s.io: events
  get list watch on discovery.k8s.io: endpointslices
  get list watch on apps: controllerrevisions daemonsets daemonsets/status deployments deployments/scale
    deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale
    statefulsets/status
  get list watch on autoscaling: horizontalpodautoscalers horizontalpodautoscalers/status
  get list watch on batch: cronjobs cronjobs/status jobs jobs/status
  get list watch on extensions: daemonsets daemonsets/status deployments deployments/scale deployments/status
    ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status
    replicationcontrollers/scale
  get list watch on policy: poddisruptionbudgets poddisruptionbudgets/status
  get list watch on networking.k8s.io: ingresses ingresses/status networkpolicies
  get list watch on resource.k8s.io: resourceclaims resourceclaims/status resourceclaimtemplates
system:auth-delegator
  create on authentication.k8s.io: tokenreviews
  create on authorization.k8s.io: subjectaccessreviews
system:basic-user
  create on authorization.k8s.io: selfsubjectaccessreviews selfsubjectrulesreviews
  create on authentication.k8s.io: selfsubjectreviews
system:certificates.k8s.io:certificatesigningrequests:nodeclient
  create on certificates.k8s.io: certificatesigningrequests/nodeclient
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  create on certificates.k8s.io: certificatesigningrequests/selfnodeclient
system:certificates.k8s.io:kube-apiserver-client-approver
  approve on certificates.k8s.io: signers named kubernetes.io/kube-apiserver-client
system:certificates.k8s.io:kube-apiserver-client-kubelet-approver
  approve on certificates.k8s.io: signers named kubernetes.io/kube-apiserver-client-kubelet
system:certificates.k8s.io:kubelet-serving-approver
  approve on certificates.k8s.io: signers named kubernetes.io/kubelet-serving
system:certificates.k8s.io:legacy-unknown-approver
  approve on certificates.k8s.io: signers named kubernetes.io/legacy-unknown
system:discovery
  get at /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/
system:heapster
  get list watch on core: events namespaces nodes pods
  get list watch on extensions: deployments
system:kube-aggregator
  get list watch on core: endpoints services
system:kube-controller-manager
  create patch update on core events.k8s.io: events
  create on coordination.k8s.io: leases
  get update on coordination.k8s.io: leases named kube-controller-manager
  create on core: secrets serviceaccounts
  delete on core: secrets
  get on core: configmaps namespaces secrets serviceaccounts
  update on core: secrets serviceaccounts
  create on authentication.k8s.io: tokenreviews
  create on authorization.k8s.io: subjectaccessreviews
  list watch on *: *
  create on core: serviceaccounts/token
system:kube-dns
  list watch on core: endpoints services
system:kube-scheduler
  create patch update on core events.k8s.io: events
  create on coordination.k8s.io: leases
  get list update watch on coordination.k8s.io: leases named kube-scheduler
  create delete deletecollection get list patch update watch on coordination.k8s.io: leasecandidates
  get list watch on core: nodes
  delete get list watch on core: pods
  create on core: bindings pods/binding
  patch update on core: pods/status
  get list watch on core: replicationcontrollers services
  get list watch on apps extensions: replicasets
  get list watch on apps: statefulsets
  get list watch on policy: poddisruptionbudgets
  get list watch on core: persistentvolumeclaims persistentvolumes
  create on authentication.k8s.io: tokenreviews
  create on authorization.k8s.io: subjectaccessreviews
  get list watch on storage.k8s.io: csinodes
  get list watch on storage.k8s.io: volumeattachments
  get list watch on core: namespaces
  get list watch on storage.k8s.io: csidrivers
  get list watch on storage.k8s.io: csistoragecapacities
  get list watch on resource.k8s.io: deviceclasses
  get list patch update watch on resource.k8s.io: resourceclaims
  get list patch update watch on resource.k8s.io: resourceclaims/status
  update on core: pods/finalizers
  get list watch on resource.k8s.io: resourceslices
  create delete on resource.k8s.io: resourceclaims
  patch update on resource.k8s.io: resourceclaims/binding
system:kubelet-api-admin
  get list watch on core: nodes
  proxy on core: nodes
  * on core: nodes/log nodes/metrics nodes/proxy nodes/stats
  * on core: nodes/configz nodes/healthz nodes/pods
system:monitoring
  get at /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz
  get on core: nodes/metrics
system:node
  create on authentication.k8s.io: tokenreviews
  create on authorization.k8s.io: localsubjectaccessreviews subjectaccessreviews
  get list watch on core: services
  create get list watch on core: nodes
  patch update on core: nodes/status
  patch update on core: nodes
  create patch update on core events.k8s.io: events
  get list watch on core: pods
  create delete on core: pods
  patch update on core: pods/status
  create on core: pods/eviction
  get list watch on core: configmaps secrets
  get on core: persistentvolumeclaims persistentvolumes
  get on core: endpoints
  create get list watch on certificates.k8s.io: certificatesigningrequests
  create delete get patch update on coordination.k8s.io: leases
  get on storage.k8s.io: volumeattachments
  create on core: serviceaccounts/token
  get patch update on core: persistentvolumeclaims/status
  get list watch on storage.k8s.io: csidrivers
  create delete get patch update on storage.k8s.io: csinodes
  get list watch on node.k8s.io: runtimeclasses
  get on resource.k8s.io: resourceclaims
  deletecollection on resource.k8s.io: resourceslices
  get on core: serviceaccounts
system:node-bootstrapper
  create get list watch on certificates.k8s.io: certificatesigningrequests
system:node-problem-detector
  get on core: nodes
  patch on core: nodes/status
  create patch update on core events.k8s.io: events
system:node-proxier
  list watch on core: endpoints services
  get list watch on core: nodes
  create patch update on core events.k8s.io: events
  list watch on networking.k8s.io: servicecidrs
  list watch on discovery.k8s.io: endpointslices
system:persistent-volume-provisioner
  create delete get list watch on core: persistentvolumes
  get list update watch on core: persistentvolumeclaims
  get list watch on storage.k8s.io: storageclasses
  watch on core: events
  create patch update on core events.k8s.io: events
system:public-info-viewer
  get at /healthz /livez /readyz /version /version/
system:service-account-issuer-discovery
  get at /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/
system:volume-scheduler
  get list patch update watch on core: persistentvolumes
  get list watch on storage.k8s.io: storageclasses
  get list patch update watch on core: persistentvolumeclaims
view
`;

/** The Roles, by `namespace/name`. */
export const roleTable = `
kube-public/system:controller:bootstrap-signer
  get list watch on core: configmaps
  update on core: configmaps named cluster-info
  create patch update on core events.k8s.io: events
kube-system/extension-apiserver-authentication-reader
  get list watch on core: configmaps named extension-apiserver-authentication
kube-system/system::leader-locking-kube-controller-manager
  create get list update watch on coordination.k8s.io: leases
  create get list update watch on coordination.k8s.io: leasecandidates
kube-system/system::leader-locking-kube-scheduler
  create get list update watch on coordination.k8s.io: leases
  create get list update watch on coordination.k8s.io: leasecandidates
kube-system/system:controller:bootstrap-signer
  get list watch on core: secrets
kube-system/system:controller:cloud-provider
  create get list watch on core: configmaps
kube-system/system:controller:token-cleaner
  delete get list watch on core: secrets
  create patch update on core events.k8s.io: events
`;

/** Labels that aggregate a role into another. */
export const aggregationLabels: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

/** Aggregated roles. */
export const aggregatedRoles = ['admin', 'edit', 'view'] as const;

/** ClusterRoleBindings have the name of their role. */
export const clusterRoleBindingTable: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

/** RoleBindings by `namespace/name`: the role, then the subjects. */
export const roleBindingTable: Readonly<Record<string, readonly [role: string, ...subjects: string[]]>> = {
  'kube-public/system:controller:bootstrap-signer': [
    'system:controller:bootstrap-signer',
    'ServiceAccount kube-system/bootstrap-signer',
  ],
  'kube-system/system::extension-apiserver-authentication-reader': [
    'extension-apiserver-authentication-reader',
    'User system:kube-controller-manager',
    'User system:kube-scheduler',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': [
    'system::leader-locking-kube-controller-manager',
    'User system:kube-controller-manager',
    'ServiceAccount kube-system/kube-controller-manager',
    'ServiceAccount kube-system/leader-election-controller',
  ],
  'kube-system/system::leader-locking-kube-scheduler': [
    'system::leader-locking-kube-scheduler',
    'User system:kube-scheduler',
    'ServiceAccount kube-system/kube-scheduler',
  ],
  'kube-system/system:controller:bootstrap-signer': [
    'system:controller:bootstrap-signer',
    'ServiceAccount kube-system/bootstrap-signer',
  ],
  'kube-system/system:controller:cloud-provider': [
    'system:controller:cloud-provider',
    'ServiceAccount kube-system/cloud-provider',
  ],
  'kube-system/system:controller:token-cleaner': [
    'system:controller:token-cleaner',
    'ServiceAccount kube-system/token-cleaner',
  ],
};
