"""Training environments of fights: PettingZoo, Gymnasium and OpenSpiel; needs the `train` extra."""

from affray.envs.agents import FightAECEnv, FightParallelEnv, env, parallel_env
from affray.envs.ground import Ground
from affray.envs.registration import register_all
from affray.envs.single import FightEnv
from affray.envs.vector import FightVectorEnv

__all__ = ["FightAECEnv", "FightEnv", "FightParallelEnv", "FightVectorEnv", "Ground", "env", "parallel_env"]

register_all()
