import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

/**
 * Adds to `plan` how sure the network is of its answers: the largest probability of each sample's softmax.
 * @param logits [B, classes]
 * @returns [B]
 */
export function answerConfidences(plan: PlanBuilder, logits: Tensor): Tensor {
  const [rows, classes] = logits.shape;
  const confidences = plan.tensor('confidences', [rows]);
  plan.dispatch({
    label: 'confidences',
    kernel: { shader: 'loss/confidence', constants: { CLASSES: classes } },
    tensors: { logits, confidences },
    uniforms: { rows },
    workgroups: grid(rows, 64),
  });
  return confidences;
}
