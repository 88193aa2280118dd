import { RuleTable } from '../rule-table.ts';
import { argo } from './argo.ts';
import { certificates } from './certificates.ts';
import { cloud } from './cloud.ts';
import { clusterApi } from './cluster-api.ts';
import { crossplane } from './crossplane.ts';
import { databases } from './databases.ts';
import { elastic } from './elastic.ts';
import { flux } from './flux.ts';
import { gateways } from './gateways.ts';
import { kafka } from './kafka.ts';
import { keptn } from './keptn.ts';
import { kruise } from './kruise.ts';
import { kubevirt } from './kubevirt.ts';
import { netapp } from './netapp.ts';
import { numaproj } from './numaproj.ts';
import { observability } from './observability.ts';
import { openClusterManagement } from './open-cluster-management.ts';
import { openshift } from './openshift.ts';
import { operations } from './operations.ts';
import { promoter } from './promoter.ts';
import { secrets } from './secrets.ts';
import { serving } from './serving.ts';
import { storage } from './storage.ts';
import { threeScale } from './three-scale.ts';

/** The kinds of well-known operators. */
export const operatorRules: RuleTable = new RuleTable(
  argo,
  certificates,
  cloud,
  clusterApi,
  crossplane,
  databases,
  elastic,
  flux,
  gateways,
  kafka,
  keptn,
  kruise,
  kubevirt,
  netapp,
  numaproj,
  observability,
  openClusterManagement,
  openshift,
  operations,
  promoter,
  secrets,
  serving,
  storage,
  threeScale,
);
