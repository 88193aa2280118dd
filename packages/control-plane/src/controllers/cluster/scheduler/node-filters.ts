import { requestsOf } from './amounts.ts';
import { type Filter, type Rejection, rejection } from './filter.ts';
import { hostPorts } from './host-ports.ts';
import { isSelected, namedNodes, selectsNodes } from './node-affinity.ts';
import { isTolerated, untolerated } from './taints.ts';

const cordoned = rejection('NodeUnschedulable', true, 'node(s) were unschedulable');
const tainted = rejection('TaintToleration', true, 'node(s) had untolerated taint(s)');
const notSelected = rejection('NodeAffinity', true, "node(s) didn't match Pod's node affinity/selector");
const conflictingTerms = rejection('NodeAffinity', true, 'pod affinity terms conflict');
const portsTaken = rejection('NodePorts', false, "node(s) didn't have free ports for the requested pod ports");

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const notCordoned: Filter = {
  name: 'NodeUnschedulable',
  prepare({ spec }) {
    if (isTolerated(spec.tolerations, cordon)) return undefined;
    return { check: ({ node }) => (node.spec?.unschedulable ? cordoned : undefined) };
  },
};

const toleratesTaints: Filter = {
  name: 'TaintToleration',
  prepare: ({ spec }) => ({
    check: ({ node }) => (untolerated(spec.tolerations, node.spec?.taints) ? tainted : undefined),
  }),
};

const onSelectedNodes: Filter = {
  name: 'NodeAffinity',
  prepare({ spec }) {
    if (!selectsNodes(spec)) return undefined;
    const only = namedNodes(spec);
    if (only?.size === 0) return { refused: conflictingTerms };
    return {
      ...(only ? { only } : {}),
      check: ({ node }) => (isSelected(spec, node) ? undefined : notSelected),
    };
  },
};

const freePorts: Filter = {
  name: 'NodePorts',
  prepare({ spec }) {
    const ports = hostPorts(spec);
    return ports.length === 0 ? undefined : { check: (node) => (node.ports.conflict(ports) ? portsTaken : undefined) };
  },
};

const enoughResources: Filter = {
  name: 'NodeResourcesFit',
  prepare({ spec }) {
    const asked = requestsOf(spec);
    return {
      check(node): Rejection | undefined {
        const { allocatable } = node;
        const crowded = node.pods.size + 1 > node.podsAllowed;
        const lacks = (amount: number, used: number, all: number) => amount > 0 && amount > all - used;
        const noCpu = lacks(asked.cpu, node.cpu, allocatable.cpu);
        const noMemory = lacks(asked.memory, node.memory, allocatable.memory);
        const noStorage = lacks(asked.storage, node.storage, allocatable.storage);
        if (!crowded && !noCpu && !noMemory && !noStorage && asked.others.size === 0) return undefined;
        const others = [...asked.others].filter(([name, amount]) =>
          lacks(amount, node.others.get(name) ?? 0, allocatable.others.get(name) ?? 0),
        );
        const reasons = [
          ...(crowded ? ['Too many pods'] : []),
          ...(noCpu ? ['Insufficient cpu'] : []),
          ...(noMemory ? ['Insufficient memory'] : []),
          ...(noStorage ? ['Insufficient ephemeral-storage'] : []),
          ...others.map(([name]) => `Insufficient ${name}`),
        ];
        if (reasons.length === 0) return undefined;
        const beyondNode =
          asked.cpu > allocatable.cpu ||
          asked.memory > allocatable.memory ||
          asked.storage > allocatable.storage ||
          others.some(([name, amount]) => amount > (allocatable.others.get(name) ?? 0));
        return rejection('NodeResourcesFit', beyondNode, ...reasons);
      },
    };
  },
};

/** Filters on the node and its free resources, in the order in which they run. */
export const nodeFilters: readonly Filter[] = [
  notCordoned,
  toleratesTaints,
  onSelectedNodes,
  freePorts,
  enoughResources,
];
