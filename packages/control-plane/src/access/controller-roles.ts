/**
 * The permissions of each built-in controller: the ClusterRole `system:controller:NAME`, bound to the service account NAME of kube-system.
 * In the format of `clusterRoleTable`.
 */
export const controllerRoleTable = `
attachdetach-controller
  list watch on core: persistentvolumeclaims persistentvolumes
  get list watch on core: nodes
  patch update on core: nodes/status
  list watch on core: pods
  create patch update on core events.k8s.io: events
  create delete get list watch on storage.k8s.io: volumeattachments
  get list watch on storage.k8s.io: csidrivers
  get list watch on storage.k8s.io: csinodes
certificate-controller
  delete get list watch on certificates.k8s.io: certificatesigningrequests
  update on certificates.k8s.io: certificatesigningrequests/approval certificatesigningrequests/status
  approve on certificates.k8s.io: signers named kubernetes.io/kube-apiserver-client-kubelet
  sign on certificates.k8s.io: signers named kubernetes.io/kube-apiserver-client
    kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown
  create on authorization.k8s.io: subjectaccessreviews
  create patch update on core events.k8s.io: events
clusterrole-aggregation-controller
  escalate get list patch update watch on rbac.authorization.k8s.io: clusterroles
cronjob-controller
  get list update watch on batch: cronjobs
  create delete get list patch update watch on batch: jobs
  update on batch: cronjobs/status
  update on batch: cronjobs/finalizers
  delete list watch on core: pods
  create patch update on core events.k8s.io: events
daemon-set-controller
  get list watch on apps extensions: daemonsets
  update on apps extensions: daemonsets/status
  update on apps extensions: daemonsets/finalizers
  list watch on core: nodes
  create delete list patch watch on core: pods
  create on core: pods/binding
  create delete get list patch update watch on apps: controllerrevisions
  create patch update on core events.k8s.io: events
deployment-controller
  get list update watch on apps extensions: deployments
  update on apps extensions: deployments/status
  update on apps extensions: deployments/finalizers
  create delete get list patch update watch on apps extensions: replicasets
  get list update watch on core: pods
  create patch update on core events.k8s.io: events
device-taint-eviction-controller
  delete get list watch on core: pods
  patch update on core: pods/status
  get list watch on resource.k8s.io: resourceclaims
  get list watch on resource.k8s.io: resourceslices
  get list watch on resource.k8s.io: deviceclasses
  create patch update on core events.k8s.io: events
disruption-controller
  get list watch on apps extensions: deployments
  get list watch on apps extensions: replicasets
  get list watch on core: replicationcontrollers
  get list watch on policy: poddisruptionbudgets
  get list watch on apps: statefulsets
  update on policy: poddisruptionbudgets/status
  patch update on core: pods/status
  get on *: */scale
  create patch update on core events.k8s.io: events
endpoint-controller
  get list watch on core: pods services
  create delete get list update watch on core: endpoints
  create on core: endpoints/restricted
  create patch update on core events.k8s.io: events
endpointslice-controller
  get list watch on core: nodes pods services
  update on core: services/finalizers
  create delete get list update watch on discovery.k8s.io: endpointslices
  create patch update on core events.k8s.io: events
endpointslicemirroring-controller
  get list watch on core: endpoints services
  update on core: services/finalizers
  update on core: endpoints/finalizers
  create delete get list update watch on discovery.k8s.io: endpointslices
  create patch update on core events.k8s.io: events
ephemeral-volume-controller
  get list watch on core: pods
  update on core: pods/finalizers
  create get list watch on core: persistentvolumeclaims
  create patch update on core events.k8s.io: events
expand-controller
  get list patch update watch on core: persistentvolumes
  patch update on core: persistentvolumeclaims/status
  get list watch on core: persistentvolumeclaims
  create patch update on core events.k8s.io: events
generic-garbage-collector
  delete get list patch update watch on *: *
  create patch update on core events.k8s.io: events
horizontal-pod-autoscaler
  get list watch on autoscaling: horizontalpodautoscalers
  update on autoscaling: horizontalpodautoscalers/status
  get update on *: */scale
  list watch on core: pods
  list watch on metrics.k8s.io: pods
  get list watch on custom.metrics.k8s.io: *
  get list watch on external.metrics.k8s.io: *
  create patch update on core events.k8s.io: events
job-controller
  get list patch update watch on batch: jobs
  update on batch: jobs/status
  update on batch: jobs/finalizers
  create delete list patch watch on core: pods
  create patch update on core events.k8s.io: events
legacy-service-account-token-cleaner
  get on core: configmaps named kube-apiserver-legacy-service-account-token-tracking
  delete patch on core: secrets
namespace-controller
  delete get list watch on core: namespaces
  update on core: namespaces/finalize namespaces/status
  delete deletecollection get list watch on *: *
node-controller
  delete get list patch update watch on core: nodes
  patch update on core: nodes/status
  patch update on core: pods/status
  delete get list watch on core: pods
  create patch update on core events.k8s.io: events
persistent-volume-binder
  create delete get list update watch on core: persistentvolumes
  update on core: persistentvolumes/status
  get list update watch on core: persistentvolumeclaims
  update on core: persistentvolumeclaims/status
  create delete get list watch on core: pods
  get list watch on storage.k8s.io: storageclasses
  list watch on core: nodes
  create patch update on core events.k8s.io: events
  watch on core: events
pod-garbage-collector
  delete list watch on core: pods
  get list watch on core: nodes
  patch on core: pods/status
pv-protection-controller
  get list update watch on core: persistentvolumes
  create patch update on core events.k8s.io: events
pvc-protection-controller
  get list update watch on core: persistentvolumeclaims
  update on core: persistentvolumeclaims/status
  get list watch on core: pods
  create patch update on core events.k8s.io: events
replicaset-controller
  get list update watch on apps extensions: replicasets
  update on apps extensions: replicasets/status
  update on apps extensions: replicasets/finalizers
  create delete list patch watch on core: pods
  create patch update on core events.k8s.io: events
replication-controller
  get list update watch on core: replicationcontrollers
  update on core: replicationcontrollers/status
  update on core: replicationcontrollers/finalizers
  create delete list patch watch on core: pods
  create patch update on core events.k8s.io: events
resource-claim-controller
  get list watch on core: pods
  update on core: pods/finalizers
  create delete get list watch on resource.k8s.io: resourceclaims
  patch update on resource.k8s.io: resourceclaims resourceclaims/status
  patch update on core: pods/status
  create patch update on core events.k8s.io: events
  patch update on resource.k8s.io: resourceclaims/binding
resourcequota-controller
  list watch on *: *
  update on core: resourcequotas/status
  create patch update on core events.k8s.io: events
root-ca-cert-publisher
  create update on core: configmaps
  create patch update on core events.k8s.io: events
route-controller
  list watch on core: nodes
  patch on core: nodes/status
  create patch update on core events.k8s.io: events
selinux-warning-controller
  create patch update on core events.k8s.io: events
  get list watch on core: persistentvolumes
  get list watch on core: persistentvolumeclaims
  get list watch on core: pods
  get list watch on storage.k8s.io: csidrivers
service-account-controller
  create on core: serviceaccounts
  create patch update on core events.k8s.io: events
service-cidrs-controller
  get list patch update watch on networking.k8s.io: servicecidrs
  patch update on networking.k8s.io: servicecidrs/finalizers
  patch update on networking.k8s.io: servicecidrs/status
  get list watch on networking.k8s.io: ipaddresses
  create patch update on core events.k8s.io: events
service-controller
  get list watch on core: services
  patch update on core: services/status
  list watch on core: nodes
  create patch update on core events.k8s.io: events
statefulset-controller
  list watch on core: pods
  get list watch on apps: statefulsets
  update on apps: statefulsets/status
  update on apps: statefulsets/finalizers
  create delete get patch update on core: pods
  create delete get list patch update watch on apps: controllerrevisions
  create get list watch on core: persistentvolumeclaims
  delete update on core: persistentvolumeclaims
  update on core: pods/finalizers
  create patch update on core events.k8s.io: events
ttl-after-finished-controller
  delete get list watch on batch: jobs
  create patch update on core events.k8s.io: events
ttl-controller
  list patch update watch on core: nodes
  create patch update on core events.k8s.io: events
validatingadmissionpolicy-status-controller
  get list watch on admissionregistration.k8s.io: validatingadmissionpolicies
  get patch update on admissionregistration.k8s.io: validatingadmissionpolicies/status
  create patch update on core events.k8s.io: events
volumeattributesclass-protection-controller
  get list watch on core: persistentvolumeclaims
  get list watch on core: persistentvolumes
  get list update watch on storage.k8s.io: volumeattributesclasses
  create patch update on core events.k8s.io: events
`;
