/** Files that start the project on a cluster. */
import type { ProjectSubject } from './subject.ts';

const jobName = ({ name }: ProjectSubject): string => name.replace(/[^a-z0-9-]+/gi, '-').toLowerCase();

export const skyPilotText = (
  subject: ProjectSubject,
): string => `# In the project's folder: sky launch cluster/skypilot.yaml
name: ${jobName(subject)}

workdir: .
num_nodes: 1

resources:
  accelerators: A100:2

setup: |
  pip install -r requirements.txt

run: |
  export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 # see README.md
  torchrun --max_restarts 3 --nnodes "$SKYPILOT_NUM_NODES" --nproc_per_node "$SKYPILOT_NUM_GPUS_PER_NODE" \\
    --rdzv_id "$SKYPILOT_TASK_ID" --rdzv_backend c10d --rdzv_endpoint "$(echo "$SKYPILOT_NODE_IPS" | head -n 1):29500" \\
    train.py --data data
`;

export const slurmText = (subject: ProjectSubject): string => `#!/bin/bash
# In the project's folder, on a file system that all nodes share: sbatch cluster/slurm.sh
#SBATCH --job-name=${jobName(subject)}
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=2
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=%x-%j.out

first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 # see README.md
srun torchrun --max_restarts 3 --nnodes "$SLURM_JOB_NUM_NODES" --nproc_per_node 2 \\
  --rdzv_id "$SLURM_JOB_ID" --rdzv_backend c10d --rdzv_endpoint "$first:29500" \\
  train.py --data data
`;
